import { signInQuestion } from "../support/accounts.ts";
import { refusesWhatIsNotJson } from "../support/bodies.ts";

refusesWhatIsNotJson(() => signInQuestion);
