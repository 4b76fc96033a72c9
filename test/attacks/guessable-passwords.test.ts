import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { linkTo } from "../web/support/people.ts";
import { AttackedInstallation, password } from "./support/accounts.ts";

// Somebody tries, on many accounts, the few passwords that most people choose: there is no account that has one.

let attacked: AttackedInstallation;

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
}, 200_000);
afterAll(() => attacked.dispose());

const guesses = ["password", "12345678", "P@ssw0rd", "qwertyuiop", "iloveyou2", "owner-1@example.org", "postern1"];

const signUp = `mutation ($username: String!, $password: String!) { signUp(username: $username, password: $password) { expiresAt } }`;
const change = `mutation ($password: String!) { changePassword(newPassword: $password) { account { id } } }`;
const requestReset = `mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }`;
const reset = `mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { username } }`;

describe("a password among the first guesses", () => {
  test.each(guesses)("%s is not taken at sign-up", async (guess) => {
    const outcome = await attacked.client().ask(signUp, { username: "owner-1@example.org", password: guess });
    expect(outcome).toMatchObject({ kind: "ValidationFailed", code: "BAD_USER_INPUT" });
  });

  test("is not taken at a change or a reset, and leaves the one there is", async () => {
    const { username, client } = await attacked.owner();
    for (const guess of guesses) expect(await client.kindOf(change, { password: guess })).toBe("ValidationFailed");
    await client.field(requestReset, { username });
    const link = await linkTo(attacked.installation, username, "reset");
    const token = link.slice(link.lastIndexOf("/") + 1);
    for (const guess of guesses)
      expect(await client.kindOf(reset, { token, password: guess })).toBe("ValidationFailed");
    await expect(attacked.operator.signIn({ username, password, clientAddress: "192.0.2.1" })).resolves.toBeDefined();
  });
});
