import { refusesLargeBodies } from "../support/bodies.ts";
import { signInQuestion } from "../support/people.ts";

refusesLargeBodies(() => signInQuestion, 64 * 1024);
