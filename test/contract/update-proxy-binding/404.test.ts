import { afterAll, beforeAll, expect } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import type { Json } from "../support/ask.ts";
import { bindingBody, bindingsOf, bindingsPath, madeBinding } from "../support/bindings.ts";
import { expectNotFound } from "../support/expect-not-found.ts";

let anna: TestAccount;
let bert: TestAccount;
let foreignId: string;
let before: Json;
beforeAll(async () => {
  [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  foreignId = (await madeBinding(bert)).id;
  before = await bindingsOf(bert);
});
afterAll(async () => {
  expect(await bindingsOf(bert)).toEqual(before);
});

expectNotFound({
  who: () => anna,
  method: "PATCH",
  path: (id) => `${bindingsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
  body: bindingBody({ description: "mine now" }),
});
