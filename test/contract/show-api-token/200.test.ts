import { beforeAll, expect, test } from "@jest/globals";
import { bearerOf, newAccount, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { operator } from "../support/installation.ts";

const question = { method: "GET", path: "/api/v1/api-token" };
let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

test("the same token again, by any bearer token of the account, until it is replaced", async () => {
  const bearers = [anna.bearer, await bearerOf(anna)];
  for (const bearer of bearers) {
    const answer = await ask({ ...question, headers: { authorization: `Bearer ${bearer}` } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ token: anna.token });
  }
  const { token } = await operator().rotateApiToken({ accountId: anna.accountId });
  expect(token).not.toBe(anna.token);
  const answer = await ask({ ...question, headers: { authorization: `Bearer ${anna.bearer}` } });
  expect(answer.body).toEqual({ token });
});

test.each<Record<string, string>>([
  { AUTHORIZATION: "Bearer", "Content-Type": "application/json" },
  { authorization: "bearer", Token: "somebody's" },
  { Authorization: "BEARER", accept: "image/png" },
])("however it is asked: %j", async (headers) => {
  const name = Object.keys(headers)[0] ?? "";
  const asked = { ...headers, [name]: `${headers[name]} ${anna.bearer}` };
  const answer = await ask({ ...question, headers: asked, body: "[]" });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ token: expect.stringMatching(/^pst_[\w-]{43}$/) });
});

test("HEAD answers without the document", async () => {
  const headers = { authorization: `Bearer ${anna.bearer}` };
  const answer = await ask({ ...question, method: "HEAD", headers });
  expect(answer.status).toBe(200);
  expect(answer.text).toBe("");
});
