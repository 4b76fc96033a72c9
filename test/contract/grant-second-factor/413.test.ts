import { beforeAll } from "@jest/globals";
import { refusesLargeBodies } from "../support/bodies.ts";
import { newcomer, type Person, secondFactorPath } from "../support/people.ts";

let anna: Person;
beforeAll(async () => {
  anna = await newcomer();
});

refusesLargeBodies(
  () => ({ method: "POST", path: secondFactorPath, headers: { authorization: `Bearer ${anna.bearer}` } }),
  64 * 1024,
);
