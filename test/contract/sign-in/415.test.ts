import { signInQuestion } from "../support/accounts.ts";
import { refusesOtherCodings } from "../support/bodies.ts";

refusesOtherCodings(() => signInQuestion);
