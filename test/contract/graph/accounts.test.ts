import { beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { asking, freshUsername, newAccount, password } from "./support/accounts.ts";
import { answered, ask, refused } from "./support/ask.ts";
import { graphInstallation } from "./support/installation.ts";
import { linkFor, tokenOf } from "./support/links.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

const signUp = `mutation ($username: String!, $password: String!, $session: Boolean) {
  signUp(username: $username, password: $password, session: $session) {
    token expiresAt account { id username isUsernameVerified }
  }
}`;
const confirm = `mutation ($token: String!, $password: String, $session: Boolean) {
  confirmAddress(token: $token, password: $password, session: $session) { username token expiresAt }
}`;
const signIn = `mutation ($username: String!, $password: String!) { signIn(username: $username, password: $password) { token } }`;
const verified = `{ me { isUsernameVerified } }`;

describe("signUp", () => {
  test("says to anybody who may make an account", async () => {
    expect(await answered(ask("{ signUpPolicy }"))).toEqual({ signUpPolicy: "OPEN" });
  });

  test("makes an account once its address is confirmed, with a first binding", async () => {
    const username = freshUsername();
    const asked = (await answered(ask(signUp, { username, password })))["signUp"];
    expect(asked).toMatchObject({ token: null, account: { username, isUsernameVerified: false } });
    const credentials = { username, password };
    await refused(ask(signIn, credentials), "UNAUTHENTICATED", "WrongUserOrPassword");

    const link = await linkFor(username, "confirm");
    const page = await fetch(link);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(username);
    // Opening it confirms nothing: mail scanners open links. Nor does who does not know the password.
    await refused(ask(signIn, credentials), "UNAUTHENTICATED", "WrongUserOrPassword");
    const token = tokenOf(link);
    await refused(ask(confirm, { token }), "FORBIDDEN", "WrongPassword");
    await refused(ask(confirm, { token, password: "not it" }), "FORBIDDEN", "WrongPassword");
    const confirmed = (await answered(ask(confirm, { token, password })))["confirmAddress"];
    expect(confirmed).toMatchObject({ username, expiresAt: expect.any(String) });
    const owner = asking(String(confirmed?.["token"]));
    expect(await owner.get(`{ me { id isUsernameVerified quota { used available } } }`)).toEqual({
      me: { id: asked?.["account"]?.["id"], isUsernameVerified: true, quota: { used: 0, available: 100 } },
    });
    // It is good once.
    expect((await fetch(link)).status).toBe(404);
    await refused(ask(confirm, { token, password }), "NOT_FOUND", "NotFound");
    await refused(owner.ask(`mutation { resendConfirmation { isSent } }`), "CONFLICT", "Conflict");

    const automatic = `{ proxyBindings { nodes { isAutomatic description realAddresses { address isEnabled isVerified isVerificationNeeded } } } }`;
    await eventually(async () =>
      expect((await owner.get(automatic))["proxyBindings"]?.["nodes"]).toEqual([
        {
          isAutomatic: true,
          description: "Made for you when you signed up: use it where you would rather not give your own address.",
          realAddresses: [{ address: username, isEnabled: true, isVerified: true, isVerificationNeeded: false }],
        },
      ]),
    );
  });

  test("signs a browser in at its confirmation, by the graph and by the page behind the link", async () => {
    const cookie = /^postern-session=.+HttpOnly; SameSite=Lax/;
    const username = freshUsername();
    await answered(ask(signUp, { username, password, session: true }));
    const token = tokenOf(await linkFor(username, "confirm"));
    const answer = await ask(confirm, { token, password, session: true });
    expect((await answered(answer))["confirmAddress"]?.["token"]).toBeNull();
    expect(answer.headers.get("set-cookie")).toMatch(cookie);

    const other = freshUsername();
    await answered(ask(signUp, { username: other, password }));
    const link = await linkFor(other, "confirm");
    const post = (given: string) =>
      fetch(link, { method: "POST", body: new URLSearchParams({ password: given }), redirect: "manual" });
    const wrong = await post("not it");
    expect([wrong.status, await wrong.text()]).toEqual([403, expect.stringContaining("not the password")]);
    const right = await post(password);
    expect([right.status, right.headers.get("location")]).toEqual([303, "/"]);
    expect(right.headers.get("set-cookie")).toMatch(cookie);
  });

  test("tells nothing of the account that it would make to who has not confirmed it", async () => {
    const query = signUp.replace("isUsernameVerified", "apiToken webhookSecret sessions { id } passkeys { id }");
    const { data, errors } = await ask(query, { username: freshUsername(), password });
    expect(data["signUp"]?.["account"]).toMatchObject({ apiToken: null, webhookSecret: null, sessions: null });
    expect(new Set(errors.map(({ extensions }) => extensions.kind))).toEqual(new Set(["CredentialsMissing"]));
  });

  test.each([
    ["a plain name", "somebody"],
    ["an address of the service", "me@postern.localhost"],
    ["an address of a reserved internal domain", "me@int.postern.localhost"],
    ["nothing", ""],
    ["a NUL", "a\u0000b@example.org"],
  ])("refuses %s", async (_case, username) => {
    await refused(ask(signUp, { username, password }), "BAD_USER_INPUT", "ValidationFailed");
  });

  test("refuses a short password, and says nothing of a name that is taken", async () => {
    await refused(
      ask(signUp, { username: freshUsername(), password: "seven77" }),
      "BAD_USER_INPUT",
      "ValidationFailed",
    );
    const { username } = await newAccount();
    await answered(ask(signUp, { username: username.toUpperCase(), password }));
  });
});

describe("a password", () => {
  test("is changed by who knows it, and everybody else is signed out", async () => {
    const owner = await newAccount();
    const other = asking(String((await answered(ask(signIn, owner as never)))["signIn"]?.["token"]));
    const change = `mutation ($old: String!, $new: String!) { changePassword(currentPassword: $old, newPassword: $new) { account { id } } }`;
    await refused(owner.ask(change, { old: "not it", new: "something else" }), "FORBIDDEN", "WrongPassword");
    await refused(owner.ask(change, { old: password, new: "short" }), "BAD_USER_INPUT", "ValidationFailed");
    expect(await owner.get(change, { old: password, new: "something else" })).toEqual({
      changePassword: { account: { id: owner.id } },
    });
    await refused(other.ask(verified), "UNAUTHENTICATED", "BearerTokenInvalid");
    await owner.get(verified);
    const { username } = owner;
    await refused(ask(signIn, { username, password }), "UNAUTHENTICATED", "WrongUserOrPassword");
    await answered(ask(signIn, { username, password: "something else" }));
  });

  test("is reset by who reads the account's mail", async () => {
    const { username } = await newAccount();
    const request = `mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }`;
    const accepted = { requestPasswordReset: { isAccepted: true } };
    expect(await answered(ask(request, { username }))).toEqual(accepted);
    // Nobody learns who has an account.
    expect(await answered(ask(request, { username: "nobody@example.org" }))).toEqual(accepted);
    const link = await linkFor(username, "reset");
    expect(await (await fetch(link)).text()).toContain('autocomplete="new-password"');
    const reset = `mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { username } }`;
    await refused(ask(reset, { token: tokenOf(link), password: "short" }), "BAD_USER_INPUT", "ValidationFailed");
    const short = await fetch(link, { method: "POST", body: new URLSearchParams({ password: "short" }) });
    expect([short.status, await short.text()]).toEqual([422, expect.stringContaining("at least 8")]);
    const set = await fetch(link, { method: "POST", body: new URLSearchParams({ password: "a new password" }) });
    expect(set.status).toBe(200);
    await refused(ask(reset, { token: tokenOf(link), password: "another one" }), "NOT_FOUND", "NotFound");
    const { token } = (await answered(ask(signIn, { username, password: "a new password" })))["signIn"] as unknown as {
      token: string;
    };
    expect(await asking(token).get(verified)).toEqual({ me: { isUsernameVerified: true } });
  });
});

describe("deleteAccount", () => {
  test("asks for the password, and leaves nobody who could sign in", async () => {
    const owner = await newAccount();
    const remove = `mutation ($password: String!) { deleteAccount(password: $password) { id } }`;
    await refused(owner.ask(remove, { password: "not it" }), "FORBIDDEN", "WrongPassword");
    expect(await owner.get(remove, { password })).toEqual({ deleteAccount: { id: owner.id } });
    await refused(owner.ask(verified), "UNAUTHENTICATED", "BearerTokenInvalid");
    await refused(ask(signIn, owner as never), "UNAUTHENTICATED", "WrongUserOrPassword");
  });
});
