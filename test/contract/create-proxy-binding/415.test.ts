import { afterAll, beforeAll, expect } from "@jest/globals";
import { bindingsOf, bindingsPath } from "../support/bindings.ts";
import { refusesOtherCodings } from "../support/bodies.ts";
import { newcomer, type Person } from "../support/people.ts";

let anna: Person;
beforeAll(async () => {
  anna = await newcomer();
});
afterAll(async () => {
  expect((await bindingsOf(anna))["data"]).toEqual([]);
});

refusesOtherCodings(() => ({ method: "POST", path: bindingsPath, headers: { Token: anna.token } }));
