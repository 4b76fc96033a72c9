import { expect, test } from "@jest/globals";
import { codeBody, newAccount, secondFactorPath } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";
import { operator } from "../support/installation.ts";

test("an account without a second factor, or with one that is not confirmed yet", async () => {
  const { accountId, bearer } = await newAccount();
  const headers = { authorization: `Bearer ${bearer}` };
  const give = () => ask({ method: "POST", path: secondFactorPath, headers, body: codeBody("123456") });
  const without = await give();
  await operator().beginSecondFactor({ accountId });
  for (const { status, body } of [without, await give()]) {
    expect(status).toBe(409);
    expect(body).toEqual(errorDocument("SecondFactorNotEnabled", "auth"));
  }
});
