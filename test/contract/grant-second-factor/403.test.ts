import { expect, test } from "@jest/globals";
import { codeBody, secondFactorPath, withSecondFactor } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";

test("a code that is not right, or was used before", async () => {
  const { bearer, recoveryCodes } = await withSecondFactor();
  const [code] = recoveryCodes;
  const give = (given: unknown) =>
    ask({
      method: "POST",
      path: secondFactorPath,
      headers: { authorization: `Bearer ${bearer}` },
      body: codeBody(given),
    });
  expect((await give(code)).status).toBe(200);
  for (const wrong of [code, "", "00000", "abcdef", "' or 1=1 --", "1".repeat(10_000), "１２３４５６"]) {
    const { status, body } = await give(wrong);
    expect(status).toBe(403);
    expect(body).toEqual(errorDocument("WrongSecondFactor", "auth"));
  }
});
