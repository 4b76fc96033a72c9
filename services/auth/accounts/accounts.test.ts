import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AccountOpenedSchema } from "../../../proto/gen/postern/auth/v1/account_opened_pb.js";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "../test-support/database.ts";

let db: TestDatabase;
let service: ServiceUnderTest<typeof authContract>;

beforeAll(async () => {
  db = await authDatabase();
  service = await startService(auth, authContract, { db });
});

afterAll(async () => {
  await service.stop();
  await db.dispose();
});

const add = (username: string, password = "correct horse") => service.client.addAccount({ username, password });

test("an operator's account under an address is verified, under a plain name it is not", async () => {
  expect(await add("Jane@Example.org")).toMatchObject({
    username: "Jane@Example.org",
    isOperatorMade: true,
    isUsernameVerified: true,
    isDisabled: false,
    hasSecondFactor: false,
  });
  expect(await add("operator")).toMatchObject({ isUsernameVerified: false });
});

test("a new account is said to the others, in the transaction that makes it", async () => {
  const account = await add("said@example.org");
  const { rows } = await db.query<{ payload: Buffer }>(`select payload from outbox where key = $1`, [account.id]);
  expect(rows).toHaveLength(1);
  expect(fromBinary(AccountOpenedSchema, rows[0]?.payload ?? Buffer.alloc(0))).toMatchObject({
    accountId: account.id,
    username: "said@example.org",
    isOperatorMade: true,
    isUsernameVerified: true,
  });
});

test("a username is taken in whatever case and composition it is typed", async () => {
  await add("Zoë@example.org");
  for (const same of ["zoë@example.org", "ZOË@EXAMPLE.ORG", "Zoe\u0308@example.org"]) {
    await expect(add(same)).rejects.toMatchObject({ kind: "Conflict" });
  }
});

test("of two that make one account at once, one does", async () => {
  const outcomes = await Promise.allSettled([add("race@example.org"), add("RACE@example.org")]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
});

test.each(["", " padded", "nul\0", "half \ud800", "x".repeat(255), "line\nbreak"])(
  "%j is no username",
  async (username) => {
    await expect(add(username)).rejects.toMatchObject({ kind: "ValidationFailed" });
  },
);

test.each([
  ["empty", ""],
  ["over 1,024 bytes", "é".repeat(513)],
  ["half a surrogate", "\udc00"],
])("a password that is %s is refused", async (_what, password) => {
  await expect(add("nobody@example.org", password)).rejects.toMatchObject({ kind: "ValidationFailed" });
  await expect(add("somebody@example.org", "x".repeat(1024))).resolves.toBeDefined();
  await service.client.disableAccount({ username: "somebody@example.org" });
  await db.query(`delete from account where username = 'somebody@example.org'`);
});

test("no table holds a password or a webhook secret in the clear", async () => {
  const { id } = await add("kept@example.org", "a password to look for");
  const [identity] = await service.client.webhookIdentities({ accountIds: [id] });
  const { rows } = await db.query<{ kept: string }>(
    `select concat(account, encode(webhook_secret.sealed, 'escape')) as kept from account join webhook_secret on account_id = id where id = $1`,
    [id],
  );
  expect(rows[0]?.kept).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(rows[0]?.kept).not.toContain("a password to look for");
  expect(rows[0]?.kept).not.toContain(identity?.secrets[0]);
});

test("what does not exist is not found, whatever is asked for", async () => {
  const missing = "0198f0a0-0000-7000-8000-000000000000";
  for (const id of [missing, "no id", "\0"]) {
    await expect(service.client.account({ id })).rejects.toMatchObject({ kind: "NotFound" });
    expect(await service.client.accounts({ ids: [id] })).toEqual([]);
  }
  const accountId = missing;
  expect(await service.client.webhookIdentities({ accountIds: [accountId] })).toEqual([]);
  await expect(service.client.rotateWebhookSecret({ accountId })).rejects.toMatchObject({ kind: "NotFound" });
  await expect(service.client.rotateApiToken({ accountId })).rejects.toMatchObject({ kind: "NotFound" });
  await expect(service.client.disableAccount({ username: "nobody" })).rejects.toMatchObject({ kind: "NotFound" });
});

test("a rotated webhook secret signs beside the former one for a day", async () => {
  const { id, username } = await add("hooks@example.org");
  const identity = async () => (await service.client.webhookIdentities({ accountIds: [id] }))[0];
  const first = (await identity())?.secrets[0] ?? "";
  expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { secret } = await service.client.rotateWebhookSecret({ accountId: id });
  expect(await identity()).toEqual({ accountId: id, username, secrets: [secret, first] });

  await db.query(`update webhook_secret set former_until = now() where account_id = $1`, [id]);
  expect(await identity()).toEqual({ accountId: id, username, secrets: [secret] });
});

test("the list names every account in the order they were made", async () => {
  const usernames = (await service.client.listAccounts({})).map((account) => account.username);
  expect(usernames.indexOf("Jane@Example.org")).toBeLessThan(usernames.indexOf("hooks@example.org"));
});
