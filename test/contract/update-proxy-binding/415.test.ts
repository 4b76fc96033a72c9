import { afterAll, beforeAll, expect } from "@jest/globals";
import type { Json } from "../support/ask.ts";
import { bindingsOf, bindingsPath, madeBinding } from "../support/bindings.ts";
import { refusesOtherCodings } from "../support/bodies.ts";
import { newcomer, type Person } from "../support/people.ts";

let anna: Person;
let id: string;
let before: Json;
beforeAll(async () => {
  anna = await newcomer();
  id = (await madeBinding(anna)).id;
  before = await bindingsOf(anna);
});
afterAll(async () => {
  expect(await bindingsOf(anna)).toEqual(before);
});

refusesOtherCodings(() => ({ method: "PATCH", path: `${bindingsPath}/${id}`, headers: { Token: anna.token } }));
