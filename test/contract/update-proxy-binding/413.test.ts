import { afterAll, beforeAll, expect } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import type { Json } from "../support/ask.ts";
import { bindingsOf, bindingsPath, madeBinding } from "../support/bindings.ts";
import { refusesLargeBodies } from "../support/bodies.ts";

let anna: TestAccount;
let id: string;
let before: Json;
beforeAll(async () => {
  anna = await newAccount();
  id = (await madeBinding(anna)).id;
  before = await bindingsOf(anna);
});
afterAll(async () => {
  expect(await bindingsOf(anna)).toEqual(before);
});

refusesLargeBodies(() => ({ method: "PATCH", path: `${bindingsPath}/${id}`, headers: { Token: anna.token } }));
