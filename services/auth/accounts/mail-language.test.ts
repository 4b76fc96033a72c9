import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newId } from "../../platform/ids.ts";
import { AuthUnderTest } from "../test-support/auth.ts";

const password = "four words in a row";
const clientAddress = "192.0.2.1";
const [english, german] = ["Confirm your address for", "Bestätigen Sie Ihre Adresse für"];

let auth: AuthUnderTest;
beforeAll(async () => {
  auth = await AuthUnderTest.start({ LIMIT_SIGN_UP_PER_ADDRESS: "100" });
});
afterAll(() => auth.stop());

const newName = () => `${newId()}@example.org`;

async function lastMail(username: string) {
  await auth.sendMails();
  return (await auth.mails(username)).at(-1);
}

test("a sign-up is mailed in the language of its request, again in that of the one that asks again, and in English without one", async () => {
  const username = newName();
  await auth.client.signUp({ username, password, clientAddress, language: "de" });
  const mail = await lastMail(username);
  expect(mail?.subject).toContain(german);
  expect(mail?.text).toMatch(/öffnen Sie innerhalb von 48 Stunden diesen Link[\s\S]*\/confirm\//);
  await auth.client.resendSignUp({ username, clientAddress });
  expect((await lastMail(username))?.subject).toContain(english);
  await auth.client.resendSignUp({ username, clientAddress, language: "de" });
  expect((await lastMail(username))?.subject).toContain(german);
});

test("the graph's mails are in the language of its request: of a sign-up, a new password, and an account that there is already", async () => {
  const username = newName();
  const signUp =
    "mutation ($username: String!, $password: String!) { signUp(username: $username, password: $password) { expiresAt } }";
  const reset = "mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }";
  const ask = async (query: string, language: "en" | "de" | undefined) => {
    expect(await auth.ask(query, { username, password }, { language })).toMatchObject({ kind: "done" });
    return (await lastMail(username))?.subject;
  };
  expect(await ask(signUp, "de")).toContain(german);
  const token = await auth.linkToken(username, "confirm");
  await auth.client.confirmAddress({ token, password, clientAddress });
  expect(await ask(signUp, "de")).toMatch(/^Sie haben bei .* schon ein Konto$/);
  expect(await ask(signUp, "en")).toContain("You already have an account at");
  expect(await ask(reset, "de")).toContain("Wählen Sie ein neues Passwort für");
  expect(await ask(reset, undefined)).toContain("Choose a new password for");
});
