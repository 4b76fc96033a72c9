import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { AttackedInstallation, password } from "./support/accounts.ts";

// An address is sent five mails of a kind an hour. A stranger has all of them sent, so that its owner gets none.

let attacked: AttackedInstallation;

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
}, 200_000);
afterAll(() => attacked.dispose());

const signUp = `mutation ($username: String!, $password: String!) { signUp(username: $username, password: $password) { token } }`;
const signIn = `mutation ($username: String!, $password: String!) { signIn(username: $username, password: $password) { token } }`;
const confirm = `mutation ($token: String!, $password: String) { confirmAddress(token: $token, password: $password) { username } }`;
const requestReset = `mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }`;
const reset = `mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { username } }`;
const chosen = "harbour lanterns count backwards";
const guessed = "what a stranger has chosen";

/** As somebody does at an address of their own. */
const at = (network: number) => attacked.client({ address: `203.0.113.${network}` });

/** What stands in the links of a kind that were mailed to somebody, once there are five. */
async function fiveTokens(username: string, page: "confirm" | "reset"): Promise<string[]> {
  return eventually(async () => {
    const mails = await attacked.mailsTo(username);
    const tokens = mails.flatMap((mail) => new RegExp(`/${page}/([\\w-]+)`).exec(mail)?.[1] ?? []);
    expect(tokens).toHaveLength(5);
    return tokens;
  });
}

test("the owner signs up all the same, by any link that was mailed to the address", async () => {
  const username = "wanted@example.org";
  for (let network = 1; network <= 6; network++)
    expect(await at(network).kindOf(signUp, { username, password: guessed })).toBe("done");
  const tokens = await fiveTokens(username, "confirm");
  // Answered as ever, though no mail follows.
  expect(await at(10).kindOf(signUp, { username, password: chosen })).toBe("done");
  // And the stranger goes on.
  expect(await at(7).kindOf(signUp, { username, password: guessed })).toBe("done");
  const [token = ""] = tokens;
  expect(await at(10).kindOf(confirm, { token, password })).toBe("WrongPassword");
  expect(await at(10).kindOf(confirm, { token, password: chosen })).toBe("done");
  expect(await at(10).kindOf(signIn, { username, password: chosen })).toBe("done");
  expect(await at(1).kindOf(signIn, { username, password: guessed })).toBe("WrongUserOrPassword");
  expect(await attacked.mailsTo(username)).toHaveLength(5);
  for (const other of tokens) expect(await at(1).kindOf(confirm, { token: other, password: guessed })).toBe("NotFound");
});

test("many sign-ups with one address make no password cheaper to try: each that it is tried against counts", async () => {
  const username = "stuffed@example.org";
  for (let network = 1; network <= 20; network++)
    expect(await at(network).kindOf(signUp, { username, password: guessed })).toBe("done");
  const [token = ""] = await fiveTokens(username, "confirm");
  // Three times twenty is what LIMIT_SIGN_UP_PER_ADDRESS lets one client try.
  for (let attempt = 1; attempt <= 3; attempt++)
    expect(await at(30).kindOf(confirm, { token, password })).toBe("WrongPassword");
  expect(await at(30).kindOf(confirm, { token, password })).toBe("RateLimited");
  expect(await at(31).kindOf(confirm, { token, password: guessed })).toBe("done");
});

test("a new password is chosen all the same, by any link that was mailed within the hour", async () => {
  const { username } = await attacked.owner();
  for (let network = 1; network <= 6; network++)
    expect(await at(network).kindOf(requestReset, { username })).toBe("done");
  const [token = ""] = await fiveTokens(username, "reset");
  expect(await at(10).kindOf(reset, { token, password: chosen })).toBe("done");
  expect(await at(10).kindOf(signIn, { username, password: chosen })).toBe("done");
});
