import { afterEach, describe, expect, test } from "@jest/globals";
import { newId } from "../../platform/ids.ts";
import { AuthUnderTest, type GraphOutcome } from "../test-support/auth.ts";

const password = "four words in a row";
const clientAddress = "192.0.2.1";

let running: AuthUnderTest | undefined;
afterEach(async () => running?.stop());

async function started(environment: Readonly<Record<string, string>> = {}): Promise<AuthUnderTest> {
  running = await AuthUnderTest.start(environment);
  return running;
}

const freshUsername = () => `${newId()}@example.org`;

interface SignUp {
  username?: string;
  password?: string;
  invitation?: string | undefined;
}

function signUp(auth: AuthUnderTest, { username = freshUsername(), ...given }: SignUp = {}): Promise<GraphOutcome> {
  const query = `mutation ($username: String!, $password: String!, $invitation: String) {
    signUp(username: $username, password: $password, invitation: $invitation) {
      token expiresAt account { id username isUsernameVerified twoFactorEnabled createdAt }
    }
  }`;
  return auth.ask(query, { username, password, ...given });
}

/** Signs up and opens the link. */
async function signedUp(auth: AuthUnderTest, username = freshUsername()): Promise<string> {
  await signUp(auth, { username });
  await auth.sendMails();
  await auth.client.confirmAddress({ token: await auth.linkToken(username, "confirm"), password, clientAddress });
  return username;
}

const usernames = async (auth: AuthUnderTest) => (await auth.client.listAccounts({})).map(({ username }) => username);

describe("signing up", () => {
  test("is open to anybody unless said otherwise, as often from one address as it is let", async () => {
    const auth = await started({ LIMIT_SIGN_UP_PER_ADDRESS: "2" });
    expect((await signUp(auth)).kind).toBe("done");
    expect((await signUp(auth, { invitation: "one that nobody needs" })).kind).toBe("done");
    expect((await signUp(auth)).kind).toBe("RateLimited");
  });

  test.each(["x@127.0.0.1", "x@[10.0.0.5]", "x@0x7f.1", "x@shop_.example"])(
    "is by an address at a domain: %s is refused",
    async (username) => {
      const auth = await started();
      expect((await signUp(auth, { username })).kind).toBe("ValidationFailed");
    },
  );

  test("makes no account before its address is confirmed, with the password that was chosen", async () => {
    const auth = await started();
    const username = "Jane@example.org";
    const { data } = await signUp(auth, { username });
    const asked = data?.["signUp"] as { account: { id: string } } | undefined;
    await auth.sendMails();
    expect(await usernames(auth)).toEqual([]);
    const credentials = { username, password, clientAddress };
    await expect(auth.client.signIn(credentials)).rejects.toMatchObject({ kind: "WrongUserOrPassword" });

    const token = await auth.linkToken(username, "confirm");
    expect(await auth.client.describeConfirmation({ token })).toEqual({ username });
    const guess = auth.client.confirmAddress({ token, password: "not the one that was chosen", clientAddress });
    await expect(guess).rejects.toMatchObject({ kind: "WrongPassword", status: 403 });
    expect(await usernames(auth)).toEqual([]);
    const { bearer } = await auth.client.confirmAddress({ token, password, clientAddress });
    expect(bearer).toMatchObject({ accountId: asked?.account.id, isNewAccount: true });
    const account = await auth.client.account({ id: String(bearer?.accountId) });
    expect(account).toMatchObject({
      username,
      isUsernameVerified: true,
      isOperatorMade: false,
    });
    await expect(auth.client.signIn(credentials)).resolves.toMatchObject({ accountId: account.id });
    await expect(auth.client.confirmAddress({ token, password, clientAddress })).rejects.toMatchObject({
      kind: "NotFound",
    });
  });

  test("of several sign-ups for one address, the one whose password is given makes the account", async () => {
    const auth = await started();
    const username = freshUsername();
    await signUp(auth, { username, password: "a stranger chose this one" });
    await auth.sendMails();
    const strangers = await auth.linkToken(username, "confirm");
    await signUp(auth, { username });
    await auth.sendMails();
    const own = await auth.linkToken(username, "confirm");
    expect(own).not.toBe(strangers);
    const both = await Promise.allSettled([
      auth.client.confirmAddress({ token: own, password, clientAddress }),
      auth.client.confirmAddress({ token: own, password, clientAddress }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(
      auth.client.confirmAddress({ token: strangers, password: "a stranger chose this one", clientAddress }),
    ).rejects.toMatchObject({ kind: "NotFound" });
    expect(await usernames(auth)).toEqual([username]);
  });

  test("is good for two days", async () => {
    const auth = await started();
    const username = freshUsername();
    await signUp(auth, { username });
    await auth.sendMails();
    const token = await auth.linkToken(username, "confirm");
    await auth.db.query(`update sign_up set expires_at = now()`);
    await expect(auth.client.describeConfirmation({ token })).rejects.toMatchObject({ kind: "NotFound" });
    await expect(auth.client.confirmAddress({ token, password, clientAddress })).rejects.toMatchObject({
      kind: "NotFound",
    });
  });

  test("with an address that has an account looks the same, and the mail says so", async () => {
    const auth = await started();
    const known = await signedUp(auth);
    const shape = (outcome: GraphOutcome) =>
      JSON.stringify(outcome)
        .toLowerCase()
        .replaceAll(/[\w.-]+@|[0-9a-f-]{36}|\d{4}-[^"]*/g, "");
    const before = (await auth.mails()).length;
    const toKnown = await signUp(auth, { username: known.toUpperCase() });
    expect(shape(toKnown)).toBe(shape(await signUp(auth)));
    await auth.sendMails();
    const [first, second] = (await auth.mails()).slice(before);
    expect(first).toMatchObject({ recipient: known, kind: "account-exists" });
    expect(first?.text).not.toMatch(/\/(confirm|reset)\/\w/);
    expect(second).toMatchObject({ kind: "username-verification" });
    // Nothing is left of it that could be confirmed.
    expect((await auth.db.query(`select from sign_up where username_key = $1`, [known])).rowCount).toBe(0);
  });

  test("sends one address a few mails an hour", async () => {
    const auth = await started();
    const username = freshUsername();
    for (let again = 0; again < 8; again++) await signUp(auth, { username });
    await auth.sendMails();
    expect(await auth.mails(username)).toHaveLength(5);
    // The others wait for a link that was mailed.
    expect((await auth.db.query(`select from sign_up where token_digest is not null`)).rowCount).toBe(8);
  });

  test("is closed where the operator alone makes accounts", async () => {
    const auth = await started({ SIGNUP: "closed" });
    const { code } = await auth.client.invite({});
    expect((await signUp(auth)).kind).toBe("Forbidden");
    expect((await signUp(auth, { invitation: code })).kind).toBe("Forbidden");
    await auth.client.addAccount({ username: "made@example.org", password });
    expect(await usernames(auth)).toEqual(["made@example.org"]);
  });

  test("is by an invitation, which makes one account, within a while", async () => {
    const auth = await started({ SIGNUP: "invite" });
    for (const invitation of [undefined, "", "guessed"])
      expect((await signUp(auth, { invitation })).kind).toBe("Forbidden");
    const { code, expiresAt } = await auth.client.invite({});
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    const [first, second] = [freshUsername(), freshUsername()];
    // Until an account was made by it, it is not used up: an address may have been mistyped.
    expect((await signUp(auth, { username: first, invitation: code })).kind).toBe("done");
    expect((await signUp(auth, { username: second, invitation: ` ${code}\n` })).kind).toBe("done");
    await auth.sendMails();
    const confirm = async (username: string) =>
      auth.client.confirmAddress({ token: await auth.linkToken(username, "confirm"), password, clientAddress });
    const both = await Promise.allSettled([confirm(first), confirm(second)]);
    expect(both.map((each) => (each.status === "rejected" ? each.reason.kind : "done")).sort()).toEqual([
      "Forbidden",
      "done",
    ]);
    expect((await signUp(auth, { invitation: code })).kind).toBe("Forbidden");

    const { code: late } = await auth.client.invite({});
    await auth.db.query(`update invitation set expires_at = now()`);
    expect((await signUp(auth, { invitation: late })).kind).toBe("Forbidden");
    expect(await usernames(auth)).toHaveLength(1);
  });
});

describe("an account that a former release made before its address was confirmed", () => {
  async function unconfirmed(auth: AuthUnderTest): Promise<string> {
    const username = freshUsername();
    const { id } = await auth.client.addAccount({ username, password: "the password of whoever made it" });
    await auth.db.query(`update account set is_username_verified = false, is_operator_made = false where id = $1`, [
      id,
    ]);
    return username;
  }

  test("goes to who signs up with its address and confirms it, with that password alone", async () => {
    const auth = await started();
    const username = await unconfirmed(auth);
    await signedUp(auth, username);
    const signIn = (given: string) => auth.client.signIn({ username, password: given, clientAddress });
    await expect(signIn(password)).resolves.toBeDefined();
    await expect(signIn("the password of whoever made it")).rejects.toMatchObject({ kind: "WrongUserOrPassword" });
    expect(await auth.client.listAccounts({})).toMatchObject([{ username, isUsernameVerified: true }]);
  });
});
