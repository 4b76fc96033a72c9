import { beforeAll } from "@jest/globals";
import { refusesWhatIsNotJson } from "../support/bodies.ts";
import { newcomer, type Person, secondFactorPath } from "../support/people.ts";

let anna: Person;
beforeAll(async () => {
  anna = await newcomer();
});

refusesWhatIsNotJson(() => ({
  method: "POST",
  path: secondFactorPath,
  headers: { authorization: `Bearer ${anna.bearer}` },
}));
