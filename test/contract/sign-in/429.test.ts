import { expect, test } from "@jest/globals";
import { signInBody, signInQuestion, unusedAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument, tokenDocument } from "../support/documents.ts";

test("after ten failures an account is closed to who guesses, and open to who has signed in from there before", async () => {
  const { accountId, username } = await unusedAccount();
  const from = (address: string, password?: string) =>
    ask({ ...signInQuestion, headers: { "x-forwarded-for": address }, body: signInBody(username, password) });
  expect((await from("192.0.2.7")).status).toBe(200);
  for (let attempt = 0; attempt < 10; attempt++) expect((await from("192.0.2.66", "a guess")).status).toBe(401);
  for (const password of ["another guess", undefined]) {
    const answer = await from("192.0.2.66", password);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual(errorDocument("RateLimited", "auth"));
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(15 * 60);
  }
  const known = await from("192.0.2.7");
  expect(known.status).toBe(200);
  expect(known.body).toEqual(tokenDocument(accountId));
});
