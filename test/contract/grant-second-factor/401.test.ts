import { expect, test } from "@jest/globals";
import { ask } from "../support/ask.ts";
import { refusesWithoutCredentials } from "../support/credentials.ts";
import { errorDocument } from "../support/documents.ts";
import { codeBody, newcomer, secondFactorPath } from "../support/people.ts";

const question = { method: "POST", path: secondFactorPath, body: codeBody("123456") };

refusesWithoutCredentials(question);

test("an API token is no bearer token", async () => {
  const { token } = await newcomer();
  const answer = await ask({ ...question, headers: { token } });
  expect(answer.status).toBe(401);
  expect(answer.body).toEqual(errorDocument("CredentialsMissing", "rest"));
});
