import { afterEach, describe, expect, test } from "@jest/globals";
import { AuthUnderTest } from "../test-support/auth.ts";

const password = "four words in a row";
const clientAddress = "192.0.2.1";

let running: AuthUnderTest | undefined;
afterEach(async () => running?.stop());

async function started(environment: Readonly<Record<string, string>> = {}): Promise<AuthUnderTest> {
  running = await AuthUnderTest.start(environment);
  return running;
}

async function requestReset(auth: AuthUnderTest, username: string, clientAddress?: string): Promise<unknown> {
  const request = `mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }`;
  const { kind } = await auth.ask(request, { username }, { clientAddress });
  await auth.sendMails();
  return kind;
}

describe("a password's reset", () => {
  test("is asked for without learning who has an account, and mails nobody without end", async () => {
    const auth = await started();
    const { username } = await auth.client.addAccount({ username: "known@example.org", password });
    for (const name of [username, "unknown@example.org", "", "nul\0"])
      expect([name, await requestReset(auth, name)]).toEqual([name, "done"]);
    expect(await auth.mails()).toHaveLength(1);
    for (let again = 0; again < 8; again++) expect(await requestReset(auth, username)).toBe("done");
    expect(await auth.mails()).toHaveLength(5);
  });

  test("is not mailed to a disabled account, nor to a name that is no address", async () => {
    const auth = await started();
    await auth.client.addAccount({ username: "root", password });
    const { username } = await auth.client.addAccount({ username: "gone@example.org", password });
    await auth.client.disableAccount({ username });
    for (const name of ["root", username]) expect(await requestReset(auth, name)).toBe("done");
    expect(await auth.mails()).toEqual([]);
  });

  test("is limited per client address, asking and choosing", async () => {
    const auth = await started({ LIMIT_PASSWORD_RESET_PER_ADDRESS: "2" });
    const ask = (from: string) => requestReset(auth, "nobody@example.org", from);
    expect([await ask("192.0.2.1"), await ask("192.0.2.1"), await ask("192.0.2.1")]).toEqual([
      "done",
      "done",
      "RateLimited",
    ]);
    expect(await ask("192.0.2.2")).toBe("done");
    const choose = () => auth.client.resetPassword({ token: "none", password, clientAddress: "192.0.2.3" });
    for (const kind of ["NotFound", "NotFound", "RateLimited"]) await expect(choose()).rejects.toMatchObject({ kind });
  });

  test("comes by a link that is good for an hour, and not beyond a change of the password", async () => {
    const auth = await started();
    const username = "late@example.org";
    await auth.client.addAccount({ username, password });
    await requestReset(auth, username);
    const token = await auth.linkToken(username, "reset");
    await auth.db.query(`update account_link set expires_at = now()`);
    await expect(auth.client.describeReset({ token })).rejects.toMatchObject({ kind: "NotFound" });
    await expect(auth.client.resetPassword({ token, password, clientAddress })).rejects.toMatchObject({
      kind: "NotFound",
    });
    await auth.db.query(`update account_link set expires_at = now() + interval '1 hour'`);
    expect(await auth.client.describeReset({ token })).toEqual({ username, isSecondFactorRequired: false });
  });

  test("ends what others may hold, and tells the owner what that was", async () => {
    const auth = await started();
    const username = "owner@example.org";
    const { id } = await auth.client.addAccount({ username, password });
    const { token: bearer } = await auth.client.signIn({ username, password, clientAddress });
    const { token: apiToken } = await auth.client.apiToken({ bearer });
    const secretsOf = async () => (await auth.client.webhookIdentities({ accountIds: [id] }))[0]?.secrets ?? [];
    const [secret] = await secretsOf();
    await requestReset(auth, username);
    const token = await auth.linkToken(username, "reset");
    await auth.client.resetPassword({ token, password: "a password that is new", clientAddress });

    await expect(auth.client.authenticate({ scheme: "bearer", value: bearer })).rejects.toBeDefined();
    await expect(auth.client.authenticate({ scheme: "token", value: apiToken })).rejects.toBeDefined();
    // The former secret signs beside the new one for a day.
    expect(await secretsOf()).toEqual([expect.not.stringContaining(String(secret)), secret]);
    const told = (await auth.mails(username)).at(-1);
    expect(told).toMatchObject({ kind: "account-security" });
    expect(told?.text).toMatch(/reset by a link.*1 session.*API token.*new secret/s);
  });
});
