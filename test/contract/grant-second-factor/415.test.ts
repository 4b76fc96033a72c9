import { beforeAll } from "@jest/globals";
import { refusesOtherCodings } from "../support/bodies.ts";
import { newcomer, type Person, secondFactorPath } from "../support/people.ts";

let anna: Person;
beforeAll(async () => {
  anna = await newcomer();
});

refusesOtherCodings(() => ({
  method: "POST",
  path: secondFactorPath,
  headers: { authorization: `Bearer ${anna.bearer}` },
}));
