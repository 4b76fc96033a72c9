import { expect, test } from "@jest/globals";
import { signInBody, signInQuestion, unusedAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";
import { operator } from "../support/installation.ts";

const refusal = errorDocument("WrongUserOrPassword", "auth", "The user or password does not exist.");

test("a user that does not exist, and a password that is not theirs, are refused alike", async () => {
  const { username, password } = await unusedAccount();
  const wrong = [
    signInBody(username, "not the password"),
    signInBody(username, `${password} `),
    signInBody(username, password.toUpperCase()),
    signInBody(username, ""),
    signInBody("nobody@example.org"),
    signInBody(""),
    signInBody("x".repeat(10_000)),
    signInBody("' or 1=1 --"),
    signInBody("a\r\nSet-Cookie: b=c"),
    signInBody("__proto__"),
  ];
  for (const body of wrong) {
    const answer = await ask({ ...signInQuestion, body });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(refusal);
  }
});

test("wrong credentials of up to 1 MiB are refused as short ones are", async () => {
  const { username } = await unusedAccount();
  const long = "x".repeat(100 * 1024);
  const frame = JSON.stringify(signInBody(username, "")).length;
  const wrong = [
    signInBody(username, long),
    signInBody(long),
    { ...signInBody(username, "not the password"), ignored: long },
    signInBody(username, "x".repeat(1024 * 1024 - frame)),
  ];
  for (const body of wrong) {
    const answer = await ask({ ...signInQuestion, body });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(refusal);
  }
});

test("credentials are right however much there is beside them", async () => {
  const { username } = await unusedAccount();
  const body = { ...signInBody(username), ignored: "x".repeat(100 * 1024) };
  expect((await ask({ ...signInQuestion, body })).status).toBe(200);
});

test("nobody signs in to a disabled account", async () => {
  const { username } = await unusedAccount();
  await operator().disableAccount({ username });
  const answer = await ask({ ...signInQuestion, body: signInBody(username) });
  expect(answer.status).toBe(401);
  expect(answer.body).toEqual(refusal);
});
