import { signInQuestion } from "../support/accounts.ts";
import { refusesLargeBodies } from "../support/bodies.ts";

refusesLargeBodies(() => signInQuestion);
