import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { generate } from "otplib";
import { eventually } from "../support/eventually.ts";
import { Authenticator } from "../support/http/authenticator.ts";
import { AttackedInstallation, type Owner, password } from "./support/accounts.ts";
import type { GraphClient } from "./support/graph-client.ts";

// Somebody wants an account that is, or will be, another's: by being there first, or by the owner's mailbox.

let attacked: AttackedInstallation;

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
}, 200_000);
afterAll(() => attacked.dispose());

const signUp = `mutation ($username: String!, $password: String!) { signUp(username: $username, password: $password) { token account { id } } }`;
const signIn = `mutation ($username: String!, $password: String!) {
  signIn(username: $username, password: $password) { token isSecondFactorRequired }
}`;
const confirm = `mutation ($token: String!, $password: String) { confirmAddress(token: $token, password: $password) { username } }`;
const requestReset = `mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }`;
const reset = `mutation ($token: String!, $password: String!, $code: String) {
  resetPassword(token: $token, password: $password, code: $code) { username }
}`;
const me = `{ me { id } }`;
const chosen = "harbour lanterns count backwards";

interface Hold {
  bearer: GraphClient;
  token: GraphClient;
  key: GraphClient;
  webhookSecret: string;
  authenticator: Authenticator;
  recoveryCodes: string[];
  secret: string;
}

/** Everything that somebody who is signed in can set to come back by. */
async function takeHold({ client: bearer }: Owner): Promise<Hold> {
  const { apiToken, webhookSecret } = await bearer.field(`{ me { apiToken webhookSecret } }`);
  const { key } = await bearer.field(`mutation { createApiKey(input: { name: "x", scopes: ["admin"] }) { key } }`);
  const authenticator = new Authenticator(attacked.installation.url);
  const { optionsJson } = await bearer.field(
    `mutation ($password: String!) { beginPasskeyRegistration(password: $password) { optionsJson } }`,
    { password },
  );
  const finish = `mutation ($responseJson: String!) { finishPasskeyRegistration(responseJson: $responseJson, name: "key") { passkey { id } } }`;
  await bearer.field(finish, { responseJson: authenticator.create(String(optionsJson)) });
  const { secret } = await bearer.field(`mutation { enableTwoFactor { secret } }`);
  const { recoveryCodes } = await bearer.field(
    `mutation ($code: String!) { confirmSecondFactor(code: $code) { recoveryCodes } }`,
    { code: await generate({ secret: String(secret) }) },
  );
  return {
    bearer,
    token: attacked.client({ apiToken: String(apiToken) }),
    key: attacked.client({ apiToken: String(key) }),
    webhookSecret: String(webhookSecret),
    authenticator,
    recoveryCodes: recoveryCodes as unknown as string[],
    secret: String(secret),
  };
}

async function signInByPasskey(authenticator: Authenticator): Promise<string> {
  const client = attacked.client();
  const { optionsJson } = await client.field(`mutation { beginPasskeySignIn { optionsJson } }`);
  const finish = `mutation ($responseJson: String!) { finishPasskeySignIn(responseJson: $responseJson) { token } }`;
  return client.kindOf(finish, { responseJson: authenticator.get(String(optionsJson)) });
}

async function webhookSecrets({ id }: Owner): Promise<string[]> {
  const [identity] = await attacked.operator.webhookIdentities({ accountIds: [id] });
  return identity?.secrets ?? [];
}

/** What was taken hold of is worth nothing; the account asks for the password alone. */
async function expectNothingLeft(owner: Owner, hold: Hold, now: string): Promise<void> {
  expect(await hold.bearer.kindOf(me)).toBe("BearerTokenInvalid");
  for (const program of [hold.token, hold.key]) expect(await program.kindOf(me)).toBe("TokenNotFound");
  expect(await signInByPasskey(hold.authenticator)).toBe("WrongPasskey");
  expect(await webhookSecrets(owner)).not.toContain(hold.webhookSecret);
  const signedIn = await attacked.client().field(signIn, { username: owner.username, password: now });
  expect(signedIn).toMatchObject({ isSecondFactorRequired: false });
}

describe("who signs up with the owner's address", () => {
  test("gets no session, and no account by a link that the owner opens", async () => {
    const username = "early-bird@example.org";
    const made = await attacked.client().field(signUp, { username, password });
    expect(made["token"]).toBeNull();
    const token = await attacked.linkToken(username, "confirm");
    // The owner presses the button without knowing what was chosen.
    expect(await attacked.client().kindOf(confirm, { token })).toBe("WrongPassword");
    const page = await fetch(`${attacked.installation.url}/confirm/${token}`, { method: "POST" });
    expect(page.status).toBe(403);
    expect(await attacked.client().kindOf(signIn, { username, password })).toBe("WrongUserOrPassword");
  });
});

describe("who made an account of the owner's address, and left keys to come back by,", () => {
  test("has none of them once the owner has chosen a password by mail", async () => {
    const owner = await attacked.unconfirmed();
    const hold = await takeHold(owner);
    await attacked.client().field(requestReset, { username: owner.username });
    const token = await attacked.linkToken(owner.username, "reset");
    // The second factor is not the owner's, and not asked for.
    expect(await attacked.client().kindOf(reset, { token, password: chosen })).toBe("done");
    await expectNothingLeft(owner, hold, chosen);
  });

  test("has none of them once the address is confirmed", async () => {
    const owner = await attacked.unconfirmed();
    await owner.client.field(`mutation { resendConfirmation { isSent } }`);
    const hold = await takeHold(owner);
    const token = await attacked.linkToken(owner.username, "confirm");
    expect(await attacked.client().kindOf(confirm, { token, password })).toBe("done");
    await expectNothingLeft(owner, hold, password);
  });

  test("has none of them once the owner signs up", async () => {
    const owner = await attacked.unconfirmed();
    const hold = await takeHold(owner);
    const { username } = owner;
    await attacked.client().field(signUp, { username, password: chosen });
    const token = await attacked.linkToken(username, "confirm");
    expect(await attacked.client().kindOf(confirm, { token, password: chosen })).toBe("done");
    await expectNothingLeft(owner, hold, chosen);
    expect(await attacked.client().kindOf(signIn, { username, password })).toBe("WrongUserOrPassword");
  });
});

describe("who reads the owner's mailbox", () => {
  test("does not get past the second factor by a reset; the owner does, and keeps passkeys and factor", async () => {
    const owner = await attacked.owner();
    const { username } = owner;
    const hold = await takeHold(owner);
    await attacked.client().field(requestReset, { username });
    const token = await attacked.linkToken(username, "reset");
    const choose = (code?: string) => attacked.client().kindOf(reset, { token, password: chosen, code });
    expect(await choose()).toBe("SecondFactorRequired");
    expect(await choose("000000")).toBe("WrongSecondFactor");
    const page = await fetch(`${attacked.installation.url}/reset/${token}`);
    expect(await page.text()).toContain('name="code"');
    expect(await hold.bearer.kindOf(me)).toBe("done");

    expect(await choose(hold.recoveryCodes[0])).toBe("done");
    expect(await hold.bearer.kindOf(me)).toBe("BearerTokenInvalid");
    expect(await hold.token.kindOf(me)).toBe("TokenNotFound");
    expect(await signInByPasskey(hold.authenticator)).toBe("done");
    // The former secret signs beside the new one for a day, so that no webhook is lost.
    expect(await webhookSecrets(owner)).toEqual([expect.not.stringContaining(hold.webhookSecret), hold.webhookSecret]);
    const signedIn = await attacked.client().field(signIn, { username, password: chosen });
    expect(signedIn).toMatchObject({ isSecondFactorRequired: true });
    await eventually(async () =>
      expect((await attacked.mailsTo(username)).join("\n")).toMatch(
        /Your password was reset.*1 session.*The API token stopped working.*a new secret/s,
      ),
    );
  });
});

describe("who has learnt the password", () => {
  test("loses sessions and keys at once with a change of it that asks for that", async () => {
    const owner = await attacked.owner();
    const { token } = await attacked.client().field(signIn, { username: owner.username, password });
    const thief = attacked.client({ bearer: String(token) });
    const { apiToken } = await thief.field(`{ me { apiToken } }`);
    const change = `mutation ($now: String!, $next: String!) {
      changePassword(currentPassword: $now, newPassword: $next, revokeKeys: true) { account { id } }
    }`;
    await owner.client.field(change, { now: password, next: chosen });
    expect(await thief.kindOf(me)).toBe("BearerTokenInvalid");
    expect(await attacked.client({ apiToken: String(apiToken) }).kindOf(me)).toBe("TokenNotFound");
    expect(await owner.client.kindOf(me)).toBe("done");
    await eventually(async () =>
      expect((await attacked.mailsTo(owner.username)).join("\n")).toContain("Your password was changed."),
    );
  });
});

describe("an operator", () => {
  test("lets an owner in who has lost authenticator and recovery codes, and the owner is told", async () => {
    const owner = await attacked.owner();
    const hold = await takeHold(owner);
    const { username } = owner;
    const done = await attacked.operator.resetSecondFactor({ username, arePasskeysRemoved: true });
    expect(done).toMatchObject({ hadSecondFactor: true, passkeys: 1, account: { hasSecondFactor: false } });
    expect(await hold.bearer.kindOf(me)).toBe("BearerTokenInvalid");
    expect(await signInByPasskey(hold.authenticator)).toBe("WrongPasskey");
    expect(await attacked.client().field(signIn, { username, password })).toMatchObject({
      isSecondFactorRequired: false,
    });
    await eventually(async () =>
      expect((await attacked.mailsTo(username)).join("\n")).toContain(
        "An operator of the service reset how you sign in.",
      ),
    );
  });
});
