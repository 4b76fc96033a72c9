import { beforeAll, describe, expect, test } from "@jest/globals";
import { totp } from "../support/totp.ts";
import { asking, newAccount, password, type TestAccount } from "./support/accounts.ts";
import { answered, ask, refused } from "./support/ask.ts";
import { graphInstallation } from "./support/installation.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

const signIn = `mutation ($username: String!, $password: String!, $session: Boolean) {
  signIn(username: $username, password: $password, session: $session) {
    token expiresAt isSecondFactorRequired isNewAccount account { id username quota { used } sessions { isCurrent } }
  }
}`;
const confirm = `mutation ($code: String!) {
  confirmSecondFactor(code: $code) { token expiresAt recoveryCodes account { id twoFactorEnabled } }
}`;
const me = `{ me { id username isUsernameVerified twoFactorEnabled createdAt } }`;

/** The cookie that an answer sets, as the browser sends it back. */
function cookieOf(headers: Headers): string {
  return String(headers.get("set-cookie")).split(";")[0] ?? "";
}

/** Sets up a second factor; its secret and recovery codes. */
async function withSecondFactor(owner: TestAccount): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await owner.get(`mutation { enableTwoFactor { secret uri } }`);
  const { secret, uri } = begun["enableTwoFactor"] as unknown as { secret: string; uri: string };
  expect(uri).toMatch(/^otpauth:\/\/totp\//);
  const { confirmSecondFactor } = await owner.get(confirm, { code: totp(secret) });
  expect(confirmSecondFactor).toMatchObject({ token: null, account: { twoFactorEnabled: true } });
  return { secret, recoveryCodes: confirmSecondFactor?.["recoveryCodes"] as unknown as string[] };
}

describe("signIn", () => {
  test("gives a bearer token, good for the graph and for REST", async () => {
    const { username, id } = await newAccount();
    const answer = await ask(signIn, { username, password });
    const given = (await answered(answer))["signIn"];
    expect(given).toMatchObject({
      token: expect.any(String),
      isSecondFactorRequired: false,
      isNewAccount: false,
      account: { id, username, quota: { used: 0 } },
    });
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(new Date(String(given?.["expiresAt"])).getTime()).toBeGreaterThan(Date.now());
    expect(await asking(String(given?.["token"])).get(me)).toMatchObject({ me: { id, username } });
  });

  test("gives a browser a session that no script can read", async () => {
    const { username, id } = await newAccount();
    const answer = await ask(signIn, { username, password, session: true });
    expect((await answered(answer))["signIn"]).toMatchObject({ token: null, account: { id } });
    expect(answer.headers.get("set-cookie")).toMatch(
      /^postern-session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Expires=/,
    );
    const cookie = cookieOf(answer.headers);
    expect(await answered(ask(me, {}, { cookie }))).toMatchObject({ me: { id } });
    const out = await ask(`mutation { signOut { isSignedOut } }`, {}, { cookie });
    expect(await answered(out)).toEqual({ signOut: { isSignedOut: true } });
    expect(out.headers.get("set-cookie")).toMatch(/^postern-session=; .*Max-Age=0/);
    // A cookie that is good no more is no credential, and the browser is told to forget it.
    const stale = await ask(me, {}, { cookie });
    await refused(stale, "UNAUTHENTICATED", "CredentialsMissing");
    expect(stale.headers.get("set-cookie")).toMatch(/Max-Age=0/);
  });

  test("refuses a wrong password and an unknown user alike", async () => {
    const { username } = await newAccount();
    const wrong = await refused(ask(signIn, { username, password: "x" }), "UNAUTHENTICATED", "WrongUserOrPassword");
    const unknown = await refused(
      ask(signIn, { username: "nobody@example.org", password }),
      "UNAUTHENTICATED",
      "WrongUserOrPassword",
    );
    expect(unknown.message).toBe(wrong.message);
  });

  test("is throttled, however many are sent in one request", async () => {
    const { username } = await newAccount();
    const guesses = Array.from({ length: 15 }, (_, at) => `g${at}: signIn(username: $u, password: "${at}") { token }`);
    const answer = await ask(`mutation ($u: String!) { ${guesses.join(" ")} }`, { u: username });
    const kinds = answer.errors.map(({ extensions }) => extensions.kind);
    expect(kinds).toEqual([...Array(10).fill("WrongUserOrPassword"), ...Array(5).fill("RateLimited")]);
    expect(answer.errors.at(-1)?.extensions).toMatchObject({ code: "RATE_LIMITED", retryAfterS: expect.any(Number) });
  });
});

describe("credentials", () => {
  test("are missing", async () => {
    for (const query of [
      me,
      "{ proxyBindings { totalCount } }",
      `{ receivedEmail(id: "x") { id } }`,
      "{ recorders { id } }",
    ])
      await refused(ask(query), "UNAUTHENTICATED", "CredentialsMissing");
  });

  test("are no good", async () => {
    const bearer = await ask(me, {}, { authorization: "Bearer nonsense" });
    await refused(bearer, "UNAUTHENTICATED", "BearerTokenInvalid");
    expect(bearer.status).toBe(401);
    const basic = await ask(me, {}, { authorization: "Basic bm9ib2R5" });
    await refused(basic, "UNAUTHENTICATED", "BearerTokenInvalid");
    const token = await ask(me, {}, { token: "unknown" });
    const { message } = await refused(token, "FORBIDDEN", "TokenNotFound");
    expect([token.status, message]).toEqual([403, "Token not found"]);
  });

  test("may be the API token, which the account is shown and can rotate", async () => {
    const owner = await newAccount();
    const shown = await owner.get(`{ me { apiToken webhookSecret } }`);
    const apiToken = String(shown["me"]?.["apiToken"]);
    expect(shown["me"]?.["webhookSecret"]).toMatch(/^whsec_/);
    expect(await answered(ask(me, {}, { Token: apiToken }))).toMatchObject({ me: { id: owner.id } });
    await refused(ask(`mutation { signOut { isSignedOut } }`, {}, { Token: apiToken }), "CONFLICT", "Conflict");
    const rotated = (await owner.get(`mutation { rotateApiToken { apiToken } }`))["rotateApiToken"]?.["apiToken"];
    expect(rotated).not.toBe(apiToken);
    await refused(ask(me, {}, { Token: apiToken }), "FORBIDDEN", "TokenNotFound");
    const secret = (await owner.get(`mutation { rotateWebhookSecret { webhookSecret } }`))["rotateWebhookSecret"];
    expect(secret?.["webhookSecret"]).not.toBe(shown["me"]?.["webhookSecret"]);
  });
});

describe("a second factor", () => {
  test("is owed until its code was given, for everything else", async () => {
    const owner = await newAccount();
    const { recoveryCodes } = await withSecondFactor(owner);
    // Who has just set it up goes on.
    expect(await owner.get(me)).toMatchObject({ me: { twoFactorEnabled: true } });
    const given = (await answered(ask(signIn, { username: owner.username, password })))["signIn"];
    expect(given).toMatchObject({ isSecondFactorRequired: true, account: null });
    const half = asking(String(given?.["token"]));
    const everything = [
      me,
      `{ proxyBindings { totalCount } }`,
      `{ recorders { id } }`,
      `{ receivedEmail(id: "x") { id } }`,
    ];
    const changes = [
      `mutation { createRecorder { recorder { id } } }`,
      `mutation { createProxyBinding { isCreated } }`,
    ];
    for (const query of [...everything, ...changes])
      await refused(half.ask(query), "FORBIDDEN", "SecondFactorRequired");
    await refused(half.ask(confirm, { code: "not it" }), "FORBIDDEN", "WrongSecondFactor");
    const granted = (await half.get(confirm, { code: recoveryCodes[0] }))["confirmSecondFactor"];
    expect(granted).toMatchObject({ token: expect.any(String), recoveryCodes: null, account: { id: owner.id } });
    expect(await asking(String(granted?.["token"])).get(me)).toMatchObject({ me: { id: owner.id } });
    // The one that lacked it has given way.
    await refused(half.ask(me), "UNAUTHENTICATED", "BearerTokenInvalid");
  });

  test("completes a browser's session", async () => {
    const owner = await newAccount();
    const { recoveryCodes } = await withSecondFactor(owner);
    const half = await ask(signIn, { username: owner.username, password, session: true });
    const answer = await ask(confirm, { code: recoveryCodes[1] }, { cookie: cookieOf(half.headers) });
    expect((await answered(answer))["confirmSecondFactor"]).toMatchObject({ token: null, account: { id: owner.id } });
    expect(await answered(ask(me, {}, { cookie: cookieOf(answer.headers) }))).toMatchObject({ me: { id: owner.id } });
  });

  test("is turned off by a code of it, and set up once", async () => {
    const owner = await newAccount();
    const { recoveryCodes } = await withSecondFactor(owner);
    await refused(owner.ask(`mutation { enableTwoFactor { secret } }`), "CONFLICT", "Conflict");
    await refused(owner.ask(confirm, { code: "123456" }), "CONFLICT", "Conflict");
    const off = `mutation ($code: String!) { disableTwoFactor(code: $code) { account { twoFactorEnabled } } }`;
    await refused(owner.ask(off, { code: "000000" }), "FORBIDDEN", "WrongSecondFactor");
    expect(await owner.get(off, { code: recoveryCodes[0] })).toEqual({
      disableTwoFactor: { account: { twoFactorEnabled: false } },
    });
    await refused(owner.ask(off, { code: recoveryCodes[1] }), "CONFLICT", "SecondFactorNotEnabled");
  });
});

describe("sessions", () => {
  const sessions = `{ me { sessions { id browser clientAddress isCurrent createdAt expiresAt } } }`;
  const listOf = async (owner: Pick<TestAccount, "get">) =>
    (await owner.get(sessions))["me"]?.["sessions"] as unknown as {
      id: string;
      isCurrent: boolean;
      browser: string | null;
      clientAddress: string;
    }[];

  test("are listed, and ended one by one or all but one", async () => {
    const owner = await newAccount();
    const others = await Promise.all(
      [1, 2].map(async () =>
        asking(String((await answered(ask(signIn, { username: owner.username, password })))["signIn"]?.["token"])),
      ),
    );
    const listed = await listOf(owner);
    expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([false, false, true]);
    const revoke = `mutation ($id: ID!) { revokeSession(id: $id) { id } }`;
    expect(await owner.get(revoke, { id: listed[0]?.id })).toEqual({ revokeSession: { id: listed[0]?.id } });
    expect(await listOf(owner)).toHaveLength(2);
    await refused(owner.ask(revoke, { id: listed[0]?.id }), "NOT_FOUND", "NotFound");
    await refused((await newAccount()).ask(revoke, { id: listed[1]?.id }), "NOT_FOUND", "NotFound");
    await refused(owner.ask(revoke, { id: "'" }), "NOT_FOUND", "NotFound");
    expect(await owner.get(`mutation { revokeOtherSessions { count } }`)).toEqual({
      revokeOtherSessions: { count: 1 },
    });
    for (const other of others) await refused(other.ask(me), "UNAUTHENTICATED", "BearerTokenInvalid");
    expect(await listOf(owner)).toHaveLength(1);
  });

  test("say in plain words what they were signed in with, by whichever door", async () => {
    const { username, get } = await newAccount();
    const firefox = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0" };
    await answered(ask(signIn, { username, password }, firefox));
    const body = JSON.stringify({ data: { type: "auth-request", attributes: { username, password } } });
    const { url } = await graphInstallation();
    await fetch(`${url}/api/v1/auth`, { method: "POST", headers: { "user-agent": "curl/8.14.1" }, body });
    await fetch(`${url}/api/v1/auth`, { method: "POST", headers: { "user-agent": "<b>" }, body });
    const browsers = (await listOf({ get })).map(({ browser }) => browser);
    expect(browsers).toEqual([null, "curl", "Firefox on Linux", "node"]);
  });
});
