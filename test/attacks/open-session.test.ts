import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Authenticator } from "../support/http/authenticator.ts";
import { AttackedInstallation, password } from "./support/accounts.ts";
import type { GraphClient } from "./support/graph-client.ts";

// Somebody comes across a session that was left open, or gets hold of a token, and wants to keep the account.

let attacked: AttackedInstallation;

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
}, 200_000);
afterAll(() => attacked.dispose());

/** What is tried, the operation, and its variables. */
type Change = [string, string, Record<string, string>];

const credentialChanges: Change[] = [
  ["sets up a second factor of its own", `mutation { enableTwoFactor { secret } }`, {}],
  ["confirms one", `mutation { confirmSecondFactor(code: "000000") { recoveryCodes } }`, {}],
  ["turns the owner's off", `mutation { disableTwoFactor(code: "000000") { account { id } } }`, {}],
  ["adds a passkey", `mutation { beginPasskeyRegistration { optionsJson } }`, {}],
  [
    "finishes adding one",
    `mutation { finishPasskeyRegistration(responseJson: "{}", name: "mine") { passkey { id } } }`,
    {},
  ],
  ["removes the owner's passkey", `mutation ($id: ID!) { removePasskey(id: $id) { id } }`, { id: "none" }],
  ["makes an API token", `mutation { rotateApiToken { apiToken } }`, {}],
  ["makes an API key", `mutation { createApiKey(input: { name: "mine", scopes: ["admin"] }) { key } }`, {}],
  ["revokes the owner's API key", `mutation ($id: ID!) { revokeApiKey(id: $id) { id } }`, { id: "none" }],
  ["makes a webhook secret", `mutation { rotateWebhookSecret { webhookSecret } }`, {}],
  [
    "changes the password",
    `mutation { changePassword(newPassword: "attackers like long words too") { account { id } } }`,
    {},
  ],
  ["deletes the account", `mutation { deleteAccount { id } }`, {}],
];

/** As if the owner had signed in half an hour ago. */
async function age(): Promise<void> {
  await attacked.sql(`update auth.session set proved_at = proved_at - interval '30 minutes'`);
}

describe("by a session that was opened half an hour ago, nobody", () => {
  let stolen: GraphClient;
  beforeAll(async () => {
    stolen = (await attacked.owner()).client;
    await age();
  });

  test.each([...credentialChanges, ["reads the API token, or makes the first", `{ me { apiToken } }`, {}]] as Change[])(
    "%s",
    async (_what, change, variables) => {
      expect(await stolen.ask(change, variables)).toMatchObject({ kind: "FreshProofRequired", code: "FORBIDDEN" });
    },
  );

  test("takes a browser's cookie to REST, which gives the API token to whoever has a bearer token", async () => {
    const { username } = await attacked.owner();
    const query = `mutation ($username: String!, $password: String!) {
      signIn(username: $username, password: $password, session: true) { expiresAt }
    }`;
    const { url } = attacked.installation;
    const signedIn = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables: { username, password } }),
    });
    const cookie = signedIn.headers.getSetCookie().map((set) => String(set.split(";")[0]));
    expect(cookie).not.toEqual([]);
    const answer = await fetch(`${url}/api/v1/api-token`, { headers: { cookie: cookie.join("; ") } });
    expect(answer.status).toBe(401);
  });

  test("leaves a token behind that was not there", async () => {
    expect(await attacked.sql(`select from auth.api_token`)).toEqual([]);
  });
});

describe("by an API token, which programs hold, nobody", () => {
  let stolen: GraphClient;
  beforeAll(async () => {
    const { client } = await attacked.owner();
    const { apiToken } = await client.field(`{ me { apiToken } }`);
    stolen = attacked.client({ apiToken: String(apiToken) });
  });

  test.each([
    ...credentialChanges,
    [
      "proves the password",
      `mutation ($password: String!) { proveByPassword(password: $password) { isProven } }`,
      { password },
    ],
    ["begins to prove a passkey", `mutation { beginPasskeyProof { optionsJson } }`, {}],
    [
      "changes the password that it knows",
      `mutation ($password: String) { changePassword(currentPassword: $password, newPassword: "attackers like long words too") { account { id } } }`,
      { password },
    ],
    ["ends the owner's session", `mutation ($id: ID!) { revokeSession(id: $id) { id } }`, { id: "none" }],
    ["ends all of the owner's sessions", `mutation { revokeOtherSessions { count } }`, {}],
  ] as Change[])("%s", async (_what, change, variables) => {
    expect(await stolen.ask(change, variables)).toMatchObject({ kind: "FreshProofRequired", code: "FORBIDDEN" });
  });

  test("makes a token in place of one that was revoked, or is shown more than the one that it came with", async () => {
    const { apiToken } = await stolen.field(`{ me { apiToken } }`);
    expect(await stolen.field(`{ me { apiToken } }`)).toEqual({ apiToken });
    expect(await attacked.sql(`select from auth.api_token`)).toHaveLength(1);
  });
});

describe("the owner", () => {
  test("gives the password, and goes on for ten minutes", async () => {
    const { client } = await attacked.owner();
    await age();
    const prove = `mutation ($password: String!) { proveByPassword(password: $password) { isProven } }`;
    // A client that signs its user out at UNAUTHENTICATED goes on after a mistyped password.
    expect(await client.ask(prove, { password: "not it" })).toMatchObject({ kind: "WrongPassword", code: "FORBIDDEN" });
    expect(await client.kindOf(`mutation { rotateApiToken { apiToken } }`)).toBe("FreshProofRequired");
    expect(await client.kindOf(prove, { password })).toBe("done");
    expect(await client.kindOf(`mutation { rotateApiToken { apiToken } }`)).toBe("done");
    await age();
    expect(await client.kindOf(`mutation { rotateApiToken { apiToken } }`)).toBe("FreshProofRequired");
  });

  test("uses a passkey instead, which has to be the account's and to know its user", async () => {
    const { client } = await attacked.owner();
    const authenticator = new Authenticator(attacked.installation.url);
    const { optionsJson } = await client.field(`mutation { beginPasskeyRegistration { optionsJson } }`);
    const finish = `mutation ($responseJson: String!) { finishPasskeyRegistration(responseJson: $responseJson, name: "key") { passkey { id } } }`;
    await client.field(finish, { responseJson: authenticator.create(String(optionsJson)) });
    await age();
    const proven = async (who: GraphClient, isUserVerified: boolean) => {
      const begun = await who.field(`mutation { beginPasskeyProof { optionsJson } }`);
      return who.kindOf(
        `mutation ($responseJson: String!) { finishPasskeyProof(responseJson: $responseJson) { isProven } }`,
        {
          responseJson: authenticator.get(String(begun["optionsJson"]), { isUserVerified }),
        },
      );
    };
    const stranger = await attacked.owner();
    expect(await proven(stranger.client, true)).toBe("FreshProofRequired");
    expect(await proven(client, false)).toBe("FreshProofRequired");
    expect(await client.kindOf(`mutation { enableTwoFactor { secret } }`)).toBe("FreshProofRequired");
    expect(await proven(client, true)).toBe("done");
    expect(await client.kindOf(`mutation { enableTwoFactor { secret } }`)).toBe("done");
  });
});
