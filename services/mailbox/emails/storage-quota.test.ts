import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AccountClosedSchema } from "../../../proto/gen/postern/auth/v1/account_closed_pb.js";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { accepted, type MailboxUnderTest, receive, startMailbox, targets } from "../test-support/mailbox-under-test.ts";
import { StorageBackfill } from "./storage-backfill.ts";
import { StorageQuota } from "./storage-quota.ts";

let mailbox: MailboxUnderTest;

beforeAll(async () => {
  mailbox = await startMailbox({ QUOTA_STORAGE_MB: "1" });
});
afterAll(() => mailbox.stop());

const raw = "Subject: s\r\n\r\nbody";
const sizeBytes = 600_000;

async function changesOf(ownerId: string): Promise<boolean[]> {
  const published = await mailbox.published(topics.accountStorage);
  return published.filter(({ accountId }) => accountId === ownerId).map(({ isFull }) => isFull);
}

const kinds = async ({ ownerId, emailId }: { ownerId: string; emailId: string }) =>
  (await mailbox.client.timeline({ ownerId, emailId })).map(({ kind, detail }) => [kind, detail]);

/** Two emails, which are more than an account may keep. */
async function fill() {
  const ownerId = newId();
  const bindingId = newId();
  const first = await receive(mailbox, raw, { ownerId, bindingId, sizeBytes });
  const second = await receive(mailbox, raw, { ownerId, bindingId, sizeBytes });
  return { ownerId, bindingId, first, second };
}

test("what is kept counts, and what is removed counts no longer; each crossing of the quota is published once", async () => {
  const { ownerId, first, second } = await fill();
  expect(await mailbox.client.storage({ ownerId })).toEqual({ usedMb: 1.2, limitMb: 1 });
  expect(await changesOf(ownerId)).toEqual([true]);
  await mailbox.client.remove({ ownerId, emailId: first.emailId });
  expect(await mailbox.client.storage({ ownerId })).toEqual({ usedMb: 0.6, limitMb: 1 });
  expect(await changesOf(ownerId)).toEqual([true, false]);
  await mailbox.client.remove({ ownerId, emailId: second.emailId });
  expect(await mailbox.client.storage({ ownerId })).toEqual({ usedMb: 0, limitMb: 1 });
  expect(await changesOf(ownerId)).toEqual([true, false]);
});

test("over the quota mail is forwarded and called back, and not kept, and the timeline says so", async () => {
  const { ownerId, bindingId } = await fill();
  const given = { ownerId, bindingId, sizeBytes, targets: targets.slice(0, 1) };
  const forwarded = await receive(mailbox, raw, given);
  expect((await kinds(forwarded)).slice(1)).toEqual([["not_kept", "The storage of the account is full."]]);
  expect((await mailbox.client.list({ ownerId, bindingId })).totalCount).toBe(2);
  const calledBack = await receive(mailbox, raw, { ownerId, bindingId, callbackUrl: "https://example.org/hook" });
  expect((await kinds(calledBack)).map(([kind]) => kind)).toEqual(["accepted", "not_kept", "stored"]);
  expect(await mailbox.client.callbackContent({ emailId: calledBack.emailId })).toMatchObject({
    payload: { "body-plain": "body" },
  });
  await expect(mailbox.client.details({ ownerId, emailId: calledBack.emailId })).rejects.toMatchObject({
    kind: "NotFound",
  });
  expect((await mailbox.client.storage({ ownerId })).usedMb).toBe(1.2);
});

test("what a rule has kept alone is kept even if the storage was filled meanwhile: it would be nowhere", async () => {
  const { ownerId, bindingId } = await fill();
  const rule = { ruleId: newId(), title: "Keep", effects: ["kept-only"] };
  const kept = await receive(mailbox, raw, { ownerId, bindingId, sizeBytes, rule });
  expect((await kinds(kept)).map(([kind]) => kind).toSorted()).toEqual(["accepted", "rule_applied", "stored"]);
  expect((await mailbox.client.list({ ownerId, bindingId })).totalCount).toBe(3);
});

test("what nothing but its content was wanted of is released at once", async () => {
  const { ownerId, bindingId } = await fill();
  const mail = accepted({ ownerId, bindingId, isBrowsable: true, sizeBytes });
  await mailbox.consume(topics.mailAccepted, [mail]);
  const released = (await mailbox.published(topics.mailReleased)).map(({ rawId }) => rawId);
  expect(released).toContain(mail.rawId);
});

test("a quota that was changed takes effect, and a closed account is forgotten", async () => {
  const { ownerId } = await fill();
  await new StorageQuota(0).applyQuota(mailbox.db);
  await new StorageQuota(1).applyQuota(mailbox.db);
  await new StorageQuota(1).applyQuota(mailbox.db);
  expect(await changesOf(ownerId)).toEqual([true, false, true]);
  await mailbox.consume(topics.accountClosed, [create(AccountClosedSchema, { accountId: ownerId })]);
  await mailbox.erase();
  const { rows } = await mailbox.db.query("select from storage where owner_id = $1", [ownerId]);
  expect(rows).toEqual([]);
});

test("what was stored before contents were counted is counted once, and no longer once it is removed", async () => {
  const { ownerId, first, second } = await fill();
  await mailbox.db.query("update content set kept_owner_id = null, kept_bytes = null where kept_owner_id = $1", [
    ownerId,
  ]);
  await mailbox.db.query("delete from storage where owner_id = $1", [ownerId]);
  // A further email of the account is counted as it comes.
  const third = await receive(mailbox, raw, { ownerId, sizeBytes: 100_000 });
  expect((await mailbox.client.storage({ ownerId })).usedMb).toBe(0.1);
  for (const backfill of [1, 2].map(() => new StorageBackfill(mailbox.db, new StorageQuota(1))))
    while (await backfill.backfillSome());
  expect((await mailbox.client.storage({ ownerId })).usedMb).toBe(1.3);
  expect((await changesOf(ownerId)).at(-1)).toBe(true);
  for (const { emailId } of [first, second, third]) await mailbox.client.remove({ ownerId, emailId });
  expect((await mailbox.client.storage({ ownerId })).usedMb).toBe(0);
});
