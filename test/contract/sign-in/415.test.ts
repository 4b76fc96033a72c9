import { refusesOtherCodings } from "../support/bodies.ts";
import { signInQuestion } from "../support/people.ts";

refusesOtherCodings(() => signInQuestion);
