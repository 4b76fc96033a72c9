import { expect, test } from "@jest/globals";
import { codeBody, secondFactorPath, withSecondFactor } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";

test("after ten wrong codes not even the right one is taken for a while", async () => {
  const { bearer, recoveryCodes } = await withSecondFactor();
  const headers = { authorization: `Bearer ${bearer}` };
  const give = (code: unknown) => ask({ method: "POST", path: secondFactorPath, headers, body: codeBody(code) });
  for (let attempt = 0; attempt < 10; attempt++) expect((await give("guess")).status).toBe(403);
  for (const code of ["guess", recoveryCodes[0]]) {
    const answer = await give(code);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual(errorDocument("RateLimited", "auth"));
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(15 * 60);
  }
});
