import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { generate } from "otplib";
import { Authenticator } from "../../../test/support/http/authenticator.ts";
import { AuthUnderTest } from "../test-support/auth.ts";
import { duringReset } from "../test-support/during-reset.ts";

// A session that a reset of the password ends asks, a moment too late, for what outlives a session.

const username = "owner@example.org";
const password = "four words in a row";
const origin = "https://postern.example.org";
const clientAddress = "203.0.113.9";

let auth: AuthUnderTest;
let bearer: string;
let caller: { accountId: string; username: string; isFullyAuthenticated: true; sessionId: string; isCookie: false };

beforeEach(async () => {
  auth = await AuthUnderTest.start({ PUBLIC_URL: origin });
  const { id: accountId } = await auth.client.addAccount({ username, password });
  const { id: sessionId, token } = await auth.client.signIn({ username, password, clientAddress });
  bearer = token;
  caller = { accountId, username, isFullyAuthenticated: true, sessionId, isCookie: false };
});
afterEach(() => auth.stop());

/** A field of what the session is answered. */
async function field(query: string, variables: Record<string, unknown> = {}) {
  const { data, kind } = await auth.ask(query, variables, { caller });
  expect(kind).toBe("done");
  return Object.values(data ?? {})[0] as Record<string, string>;
}

async function begunFactor(): Promise<string> {
  const { secret = "" } = await auth.client.beginSecondFactor({ accountId: caller.accountId });
  return generate({ secret });
}

/** Codes of a factor that is in force, and was given in the session: one for the reset, one for the session. */
async function recoveryCodes(): Promise<[string, string]> {
  const { accountId, sessionId } = caller;
  const { recoveryCodes: codes } = await auth.client.confirmSecondFactor({
    accountId,
    sessionId,
    code: await begunFactor(),
  });
  return [codes[0] ?? "", codes[1] ?? ""];
}

const finishPasskey = `mutation ($responseJson: String!) {
  finishPasskeyRegistration(responseJson: $responseJson, name: "mine") { passkey { id } }
}`;

async function newPasskey() {
  const { optionsJson = "" } = await field(`mutation { beginPasskeyRegistration { optionsJson } }`);
  return { responseJson: new Authenticator(origin).create(optionsJson) };
}

const newApiKey = () => field(`mutation { createApiKey(input: { name: "ci", scopes: ["admin"] }) { apiKey { id } } }`);
const apiKeyId = async () => ({ id: (await auth.client.apiKeys({ accountId: caller.accountId }))[0]?.id });

/** What the session asks for, its operation, and what its variables are, from what was there before. */
const mutations: [string, string, () => Promise<Record<string, unknown>>][] = [
  ["adds no passkey", finishPasskey, newPasskey],
  [
    "removes none",
    `mutation ($id: ID!) { removePasskey(id: $id) { id } }`,
    async () => {
      await field(finishPasskey, await newPasskey());
      return { id: (await auth.client.passkeys({ accountId: caller.accountId }))[0]?.id };
    },
  ],
  ["begins no second factor", `mutation { enableTwoFactor { secret } }`, async () => ({})],
  [
    "puts none in force",
    `mutation ($code: String!) { confirmSecondFactor(code: $code) { recoveryCodes } }`,
    async () => ({ code: await begunFactor() }),
  ],
  [
    "makes no API key",
    `mutation { createApiKey(input: { name: "mine", scopes: ["admin"] }) { key } }`,
    async () => ({}),
  ],
  [
    "revokes none",
    `mutation ($id: ID!) { revokeApiKey(id: $id) { id } }`,
    async () => {
      await newApiKey();
      return apiKeyId();
    },
  ],
  ["makes no webhook secret", `mutation { rotateWebhookSecret { webhookSecret } }`, async () => ({})],
  ["does not delete the account", `mutation { deleteAccount { id } }`, async () => ({})],
];

test.each(mutations)("it %s", async (_what, mutation, variablesOf) => {
  const variables = await variablesOf();
  const outcome = await duringReset(auth, username, () => auth.ask(mutation, variables, { caller }));
  expect(outcome).toMatchObject({ status: "fulfilled", value: { kind: "FreshProofRequired" } });
});

const refused = { status: "rejected", reason: { kind: "FreshProofRequired" } };

const setDisabled = `mutation ($id: ID!, $isDisabled: Boolean!) {
  setAccountDisabled(id: $id, isDisabled: $isDisabled) { account { id } }
}`;

test.each([true, false])("as an operator's it changes no account (isDisabled: %s)", async (isDisabled) => {
  const other = { username: "other@example.org", password };
  const { id } = await auth.client.addAccount(other);
  if (!isDisabled) await auth.client.disableAccount(other);
  const ask = () => auth.ask(setDisabled, { id, isDisabled }, { caller: { ...caller, isOperator: true } });
  const outcome = await duringReset(auth, username, ask);
  expect(outcome).toMatchObject({ status: "fulfilled", value: { kind: "FreshProofRequired" } });
  expect((await auth.client.account({ id })).isDisabled).toBe(!isDisabled);
});

test("of two operators who disable each other at one moment, one does", async () => {
  const other = { username: "other@example.org", password };
  const { id } = await auth.client.addAccount(other);
  const { id: sessionId } = await auth.client.signIn({ ...other, clientAddress });
  const callers = [caller, { ...caller, accountId: id, username: other.username, sessionId }];
  const outcomes = await Promise.all(
    callers.map((each, at) => {
      const variables = { id: callers[1 - at]?.accountId, isDisabled: true };
      return auth.ask(setDisabled, variables, { caller: { ...each, isOperator: true } });
    }),
  );
  expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(1);
  const accounts = await Promise.all(callers.map(({ accountId }) => auth.client.account({ id: accountId })));
  expect(accounts.filter(({ isDisabled }) => isDisabled)).toHaveLength(1);
});

test("it turns no second factor off by a code", async () => {
  const [ofReset, code] = await recoveryCodes();
  const disable = `mutation ($code: String!) { disableTwoFactor(code: $code) { account { id } } }`;
  const outcome = await duringReset(auth, username, () => auth.ask(disable, { code }, { caller }), ofReset);
  expect(outcome).toMatchObject({ status: "fulfilled", value: { kind: "FreshProofRequired" } });
});

test("nor by having given one as it began", async () => {
  const [ofReset] = await recoveryCodes();
  const outcome = await duringReset(auth, username, () => auth.client.endSecondFactor({ bearer }), ofReset);
  expect(outcome).toMatchObject(refused);
  expect((await auth.client.account({ id: caller.accountId })).hasSecondFactor).toBe(true);
});

test.each<[string, () => Promise<() => Promise<unknown>>]>([
  ["begins no second factor", async () => () => auth.client.beginSecondFactor(caller)],
  [
    "puts none in force",
    async () => {
      const code = await begunFactor();
      return () => auth.client.confirmSecondFactor({ ...caller, code });
    },
  ],
])("over RPC it %s either", async (_what, prepared) => {
  expect(await duringReset(auth, username, await prepared())).toMatchObject(refused);
});
