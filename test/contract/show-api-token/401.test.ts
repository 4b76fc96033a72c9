import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { refusesWithoutCredentials } from "../support/credentials.ts";
import { errorDocument } from "../support/documents.ts";

const question = { method: "GET", path: "/api/v1/api-token" };

refusesWithoutCredentials(question);

test("the API token itself is no bearer token", async () => {
  const { token } = await newAccount();
  const answer = await ask({ ...question, headers: { token } });
  expect(answer.status).toBe(401);
  expect(answer.body).toEqual(errorDocument("CredentialsMissing", "rest"));
});
