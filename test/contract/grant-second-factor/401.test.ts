import { expect, test } from "@jest/globals";
import { codeBody, newAccount, secondFactorPath } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { refusesWithoutCredentials } from "../support/credentials.ts";
import { errorDocument } from "../support/documents.ts";

const question = { method: "POST", path: secondFactorPath, body: codeBody("123456") };

refusesWithoutCredentials(question);

test("an API token is no bearer token", async () => {
  const { token } = await newAccount();
  const answer = await ask({ ...question, headers: { token } });
  expect(answer.status).toBe(401);
  expect(answer.body).toEqual(errorDocument("CredentialsMissing", "rest"));
});
