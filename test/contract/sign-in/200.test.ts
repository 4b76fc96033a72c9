import { expect, test } from "@jest/globals";
import { signInBody, signInQuestion, unusedAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { tokenDocument } from "../support/documents.ts";

test("credentials become a bearer token; the first sign-in of an account says so", async () => {
  const { accountId, username } = await unusedAccount();
  const first = await ask({ ...signInQuestion, body: signInBody(username) });
  expect(first.status).toBe(200);
  expect(first.body).toEqual(tokenDocument(accountId, { isNewAcc: true }));
  const second = await ask({ ...signInQuestion, body: signInBody(username) });
  expect(second.status).toBe(200);
  expect(second.body).toEqual(tokenDocument(accountId));
});

test("the token lives for 30 days, by a clock in UTC", async () => {
  const { username } = await unusedAccount();
  const { body } = await ask({ ...signInQuestion, body: signInBody(username) });
  const expiresAt = Date.parse(`${String(body["data"]?.["attributes"]?.["expires_at"]).replace(" ", "T")}Z`);
  expect(Math.round((expiresAt - Date.now()) / 3_600_000)).toBe(30 * 24);
});

test("a username is the same in any case, content types and members that nobody knows do not matter", async () => {
  const { accountId, username } = await unusedAccount();
  const { data } = signInBody(username.toUpperCase());
  const body = { data: { ...data, id: "1", attributes: { ...data.attributes, remember: true } }, meta: null };
  const answer = await ask({ ...signInQuestion, headers: { "content-type": "text/plain" }, body });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(tokenDocument(accountId, { isNewAcc: true }));
});

test("credentials that were sent along do not matter", async () => {
  const { accountId, username } = await unusedAccount();
  const headers = { Token: "nobody's", authorization: "Bearer nobody's" };
  const answer = await ask({ ...signInQuestion, headers, body: signInBody(username) });
  expect(answer.body).toEqual(tokenDocument(accountId, { isNewAcc: true }));
});
