import { beforeAll } from "@jest/globals";
import { newAccount, secondFactorPath, type TestAccount } from "../support/accounts.ts";
import { refusesLargeBodies } from "../support/bodies.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount();
});

refusesLargeBodies(() => ({
  method: "POST",
  path: secondFactorPath,
  headers: { authorization: `Bearer ${anna.bearer}` },
}));
