import { afterEach, expect, test } from "@jest/globals";
import { hash } from "@node-rs/argon2";
import { generate } from "otplib";
import { AuthUnderTest } from "../test-support/auth.ts";
import { duringReset, resetPassword } from "../test-support/during-reset.ts";

const username = "owner@example.org";
const password = "four words in a row";
const clientAddress = "203.0.113.9";

let running: AuthUnderTest | undefined;
afterEach(async () => running?.stop());

async function started(): Promise<{ auth: AuthUnderTest; accountId: string }> {
  const auth = await AuthUnderTest.start();
  running = auth;
  return { auth, accountId: (await auth.client.addAccount({ username, password })).id };
}

const countOf = async (auth: AuthUnderTest, table: "session" | "known_client") =>
  (await auth.db.query(`select from ${table}`)).rowCount;

test("the former password opens no session that a reset of it would have ended", async () => {
  const { auth } = await started();
  const outcome = await duringReset(auth, username, () => auth.client.signIn({ username, password, clientAddress }));
  expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "WrongUserOrPassword" } });
  expect([await countOf(auth, "session"), await countOf(auth, "known_client")]).toEqual([0, 0]);
});

test("a second factor completes no session that a reset ended", async () => {
  const { auth, accountId } = await started();
  const { token: bearer } = await auth.client.signIn({ username, password, clientAddress });
  const { secret } = await auth.client.beginSecondFactor({ accountId });
  const { recoveryCodes } = await auth.client.confirmSecondFactor({ accountId, code: await generate({ secret }) });
  const [code = "", another = ""] = recoveryCodes;
  const grant = () => auth.client.grantSecondFactor({ bearer, code: another, clientAddress });
  const outcome = await duringReset(auth, username, grant, code);
  expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "BearerTokenInvalid" } });
  expect(await countOf(auth, "session")).toBe(0);
});

test("a session that a reset ends does not change the password back", async () => {
  const { auth, accountId } = await started();
  const { id: sessionId } = await auth.client.signIn({ username, password, clientAddress });
  const caller = { accountId, username, isFullyAuthenticated: true, sessionId, isCookie: false };
  const change = `mutation ($password: String!) { changePassword(newPassword: $password) { account { id } } }`;
  const outcome = await duringReset(auth, username, () =>
    auth.ask(change, { password: "what a thief chose" }, { caller }),
  );
  expect(outcome).toMatchObject({ status: "fulfilled", value: { kind: "FreshProofRequired" } });
  await expect(auth.client.signIn({ username, password: resetPassword, clientAddress })).resolves.toBeDefined();
});

test("sign-ins at once to an account whose hash is made anew are all let in", async () => {
  const { auth, accountId } = await started();
  const former = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  await auth.db.query("update account set password_hash = $2 where id = $1", [accountId, former]);
  await Promise.all(Array.from({ length: 4 }, () => auth.client.signIn({ username, password, clientAddress })));
  expect(await countOf(auth, "session")).toBe(4);
});
