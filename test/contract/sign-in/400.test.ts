import { refusesWhatIsNotJson } from "../support/bodies.ts";
import { signInQuestion } from "../support/people.ts";

refusesWhatIsNotJson(() => signInQuestion);
