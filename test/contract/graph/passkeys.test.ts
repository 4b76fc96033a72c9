import { beforeAll, describe, expect, test } from "@jest/globals";
import { Authenticator, type Deviation } from "../../support/http/authenticator.ts";
import { admin } from "../../support/installation/admin.ts";
import { totp } from "../support/totp.ts";
import { asking, newAccount, password, type TestAccount } from "./support/accounts.ts";
import { answered, ask, type Json, refused } from "./support/ask.ts";
import { graphInstallation } from "./support/installation.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

const beginRegistration = `mutation ($password: String!) { beginPasskeyRegistration(password: $password) { optionsJson } }`;
const finishRegistration = `mutation ($responseJson: String!, $name: String!) {
  finishPasskeyRegistration(responseJson: $responseJson, name: $name) { passkey { id name isBackedUp createdAt lastUsedAt } }
}`;
const finishSignIn = `mutation ($responseJson: String!, $session: Boolean) {
  finishPasskeySignIn(responseJson: $responseJson, session: $session) {
    token expiresAt isSecondFactorRequired isNewAccount account { id passkeys { name lastUsedAt } }
  }
}`;
const rename = `mutation ($id: ID!, $name: String!) { renamePasskey(id: $id, name: $name) { passkey { id name } } }`;
const remove = `mutation ($id: ID!) { removePasskey(id: $id) { id } }`;
const shown = `{ me { id passkeys { id name } } }`;

const textOf = (data: Json, operation: string, field: string) => String(data[operation]?.[field]);

/** Somebody with a passkey. */
async function keyHolder(): Promise<{ owner: TestAccount; authenticator: Authenticator; id: string }> {
  const owner = await newAccount();
  const { authenticator, id } = await withPasskey(owner);
  return { owner, authenticator, id };
}

async function withPasskey(owner: TestAccount): Promise<{ authenticator: Authenticator; id: string }> {
  const authenticator = new Authenticator((await graphInstallation()).url);
  const options = await owner.get(beginRegistration, { password });
  const responseJson = authenticator.create(textOf(options, "beginPasskeyRegistration", "optionsJson"));
  const made = await owner.get(finishRegistration, { responseJson, name: "The phone" });
  expect(made["finishPasskeyRegistration"]).toEqual({
    passkey: {
      id: expect.any(String),
      name: "The phone",
      isBackedUp: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUsedAt: null,
    },
  });
  return { authenticator, id: String(made["finishPasskeyRegistration"]?.["passkey"]?.["id"]) };
}

/** What the page holds once the authenticator has answered. */
async function signed(authenticator: Authenticator, deviation?: Deviation): Promise<string> {
  const begun = await answered(ask(`mutation { beginPasskeySignIn { optionsJson } }`));
  return authenticator.get(textOf(begun, "beginPasskeySignIn", "optionsJson"), deviation);
}

/** Sets up TOTP beside it. */
async function withTotp(owner: TestAccount): Promise<string> {
  const begun = await owner.get(`mutation { enableTwoFactor { secret } }`);
  const secret = textOf(begun, "enableTwoFactor", "secret");
  await owner.get(`mutation ($code: String!) { confirmSecondFactor(code: $code) { recoveryCodes } }`, {
    code: totp(secret),
  });
  return secret;
}

describe("a passkey", () => {
  test("signs in, a program and a browser", async () => {
    const { owner, authenticator } = await keyHolder();
    const given = await answered(ask(finishSignIn, { responseJson: await signed(authenticator) }));
    expect(given["finishPasskeySignIn"]).toMatchObject({
      isSecondFactorRequired: false,
      isNewAccount: false,
      account: { id: owner.id, passkeys: [{ name: "The phone", lastUsedAt: expect.any(String) }] },
    });
    const token = textOf(given, "finishPasskeySignIn", "token");
    expect(await asking(token).get(shown)).toMatchObject({ me: { id: owner.id } });

    const browser = await ask(finishSignIn, { responseJson: await signed(authenticator), session: true });
    expect((await answered(browser))["finishPasskeySignIn"]?.["token"]).toBeNull();
    expect(browser.headers.get("set-cookie")).toMatch(/^postern-session=.+HttpOnly; SameSite=Lax/);
  });

  test("is two factors where its user was verified, and one where not", async () => {
    const { owner, authenticator } = await keyHolder();
    await withTotp(owner);
    const both = await answered(ask(finishSignIn, { responseJson: await signed(authenticator) }));
    expect(both["finishPasskeySignIn"]).toMatchObject({ isSecondFactorRequired: false, account: { id: owner.id } });
    await asking(textOf(both, "finishPasskeySignIn", "token")).get(shown);

    const responseJson = await signed(authenticator, { isUserVerified: false });
    const one = await answered(ask(finishSignIn, { responseJson }));
    expect(one["finishPasskeySignIn"]).toMatchObject({ isSecondFactorRequired: true, account: null });
    const half = asking(textOf(one, "finishPasskeySignIn", "token"));
    await refused(half.ask(shown), "FORBIDDEN", "SecondFactorRequired");
    await refused(half.ask(beginRegistration, { password }), "FORBIDDEN", "SecondFactorRequired");
  });

  test("is registered by who knows the password", async () => {
    const owner = await newAccount();
    await refused(owner.ask(beginRegistration, { password: "not it" }), "FORBIDDEN", "WrongPassword");
    await refused(ask(beginRegistration, { password }), "UNAUTHENTICATED", "CredentialsMissing");
    const none = { responseJson: "{}", name: "None" };
    await refused(owner.ask(finishRegistration, none), "BAD_USER_INPUT", "ValidationFailed");
  });

  test("is registered once, whoever asks", async () => {
    const { authenticator } = await keyHolder();
    const other = await newAccount();
    const options = await other.get(beginRegistration, { password });
    const responseJson = authenticator.create(textOf(options, "beginPasskeyRegistration", "optionsJson"));
    await refused(other.ask(finishRegistration, { responseJson, name: "Ours" }), "CONFLICT", "Conflict");
  });

  test("is named and removed by its owner alone, and then signs nobody in", async () => {
    const { owner, authenticator, id } = await keyHolder();
    const other = await newAccount();
    await refused(other.ask(rename, { id, name: "Mine" }), "NOT_FOUND", "NotFound");
    await refused(other.ask(remove, { id }), "NOT_FOUND", "NotFound");
    await refused(owner.ask(rename, { id, name: " " }), "BAD_USER_INPUT", "ValidationFailed");
    expect(await owner.get(rename, { id, name: "Old phone" })).toEqual({
      renamePasskey: { passkey: { id, name: "Old phone" } },
    });
    expect(await owner.get(remove, { id })).toEqual({ removePasskey: { id } });
    expect(await owner.get(shown)).toEqual({ me: { id: owner.id, passkeys: [] } });
    const late = ask(finishSignIn, { responseJson: await signed(authenticator) });
    await refused(late, "UNAUTHENTICATED", "WrongPasskey");
  });

  test("answers for its own site, once", async () => {
    const { authenticator } = await keyHolder();
    const elsewhere = await signed(authenticator, { origin: "https://postern.example.com" });
    await refused(ask(finishSignIn, { responseJson: elsewhere }), "UNAUTHENTICATED", "WrongPasskey");
    const responseJson = await signed(authenticator);
    await answered(ask(finishSignIn, { responseJson }));
    await refused(ask(finishSignIn, { responseJson }), "UNAUTHENTICATED", "WrongPasskey");
  });

  test("of a disabled or a deleted account is as unknown as any", async () => {
    const { owner, authenticator } = await keyHolder();
    await admin(await graphInstallation(), "account", "disable", owner.username);
    const disabled = ask(finishSignIn, { responseJson: await signed(authenticator) });
    const { message } = await refused(disabled, "UNAUTHENTICATED", "WrongPasskey");

    const gone = await keyHolder();
    await gone.owner.get(`mutation ($password: String!) { deleteAccount(password: $password) { id } }`, { password });
    const deleted = ask(finishSignIn, { responseJson: await signed(gone.authenticator) });
    expect((await refused(deleted, "UNAUTHENTICATED", "WrongPasskey")).message).toBe(message);
  });
});
