import { afterAll, beforeAll, expect } from "@jest/globals";
import type { Json } from "../support/ask.ts";
import { bindingsOf, bindingsPath, madeBinding } from "../support/bindings.ts";
import { looksMissing } from "../support/missing.ts";
import { newcomer, type Person } from "../support/people.ts";

let anna: Person;
let bert: Person;
let foreignId: string;
let before: Json;
beforeAll(async () => {
  [anna, bert] = await Promise.all([newcomer("anna"), newcomer("bert")]);
  foreignId = (await madeBinding(bert)).id;
  before = await bindingsOf(bert);
});
afterAll(async () => {
  expect(await bindingsOf(bert)).toEqual(before);
});

looksMissing({
  who: () => anna,
  method: "GET",
  path: (id) => `${bindingsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
