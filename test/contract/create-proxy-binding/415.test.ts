import { afterAll, beforeAll, expect } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { bindingsOf, bindingsPath } from "../support/bindings.ts";
import { refusesOtherCodings } from "../support/bodies.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount();
});
afterAll(async () => {
  expect((await bindingsOf(anna))["data"]).toEqual([]);
});

refusesOtherCodings(() => ({ method: "POST", path: bindingsPath, headers: { Token: anna.token } }));
