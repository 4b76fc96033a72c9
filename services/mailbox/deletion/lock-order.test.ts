import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { v7 } from "uuid";
import { AccountClosedSchema } from "../../../proto/gen/postern/auth/v1/account_closed_pb.js";
import { BindingRemovedSchema } from "../../../proto/gen/postern/bindings/v1/binding_removed_pb.js";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { asSuperuser } from "../../../test/support/peers/database.ts";
import { dayMs } from "../../platform/durations.ts";
import { newId } from "../../platform/ids.ts";
import { deleteOldEvents, deleteSurplus } from "../account-events/delete-events.ts";
import { StorageBackfill } from "../emails/storage-backfill.ts";
import { StorageQuota } from "../emails/storage-quota.ts";
import { backfillListBatch } from "../lists/list-backfill.ts";
import { markAllRead, markEmails } from "../lists/list-entries.ts";
import {
  accepted,
  deferred,
  type MailboxUnderTest,
  secondTarget,
  settled,
  startMailbox,
  targets,
} from "../test-support/mailbox-under-test.ts";

const rounds = 12;
const raw = Buffer.from("From: a@b.example\r\nSubject: s\r\nContent-Type: application/pdf\r\n\r\npdf");

let mailbox: MailboxUnderTest;

beforeAll(async () => {
  mailbox = await startMailbox({ QUOTA_STORAGE_MB: "1" });
  const name = new URL(mailbox.db.adminUrl).pathname.slice(1);
  // So that many rounds take no minutes where there is something to find.
  await asSuperuser(mailbox.db.adminUrl, `alter database ${name} set deadlock_timeout = '20ms'`);
});
afterAll(() => mailbox.stop());

type Mail = ReturnType<typeof accepted>;

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const some = <T>(items: readonly T[]): T[] => shuffled(items).slice(0, Math.ceil(items.length * 0.7));

/** Emails of three bindings each of two accounts, of many days; a third of them is over its retention. */
function newMails(owners: readonly string[], bindingsOf: ReadonlyMap<string, readonly string[]>): Mail[] {
  return owners.flatMap((ownerId) =>
    (bindingsOf.get(ownerId) ?? []).flatMap((bindingId) =>
      Array.from({ length: 6 }, (_, index) => {
        const at = Date.now() - (index % 3 === 0 ? 40 : index) * dayMs;
        const mail = accepted({
          ...{ ownerId, bindingId, targets, emailId: v7({ msecs: at }), receivedAt: timestampFromDate(new Date(at)) },
          isBrowsable: index % 2 === 0,
          callbackUrl: index % 2 === 0 ? "" : "https://example.org/hook",
          sizeBytes: 400_000,
        });
        mailbox.peers.raw.set(mail.rawId, raw);
        return mail;
      }),
    ),
  );
}

const outcomesOf = (mails: readonly Mail[]) =>
  mails.flatMap(({ emailId }) => [settled(emailId), settled(emailId, { ...secondTarget, outcome: Outcome.GIVEN_UP })]);

async function marked(mails: readonly Mail[], isUnread: boolean) {
  for (const [ownerId, own] of Map.groupBy(shuffled(mails), (mail) => mail.ownerId))
    await markEmails(
      mailbox.db,
      ownerId,
      own.map(({ emailId }) => emailId),
      isUnread,
    );
}

async function removed(mails: readonly Mail[]) {
  for (const { ownerId, emailId } of some(mails)) await mailbox.client.remove({ ownerId, emailId }).catch(ifRefused);
}

function ifRefused(error: { kind?: string }): void {
  if (error.kind !== "NotFound") throw error;
}

/** As if they were stored by the release before lists and counts. */
async function unlisted(mails: readonly Mail[]) {
  const ids = mails.map(({ emailId }) => emailId);
  await mailbox.db.query("delete from mail_entry where email_id = any ($1::uuid[])", [ids]);
  await mailbox.db.query(
    "update content set kept_owner_id = null, kept_bytes = null where email_id = any ($1::uuid[])",
    [ids],
  );
  await mailbox.db.query("update mail_listing set last_id = $1", [v7({ msecs: Date.now() - 50 * dayMs })]);
}

async function backfilled() {
  const quota = new StorageBackfill(mailbox.db, new StorageQuota(1));
  await Promise.all([backfillListBatch(mailbox.db), quota.backfillSome()]);
}

async function erased(owners: readonly string[], bindingIds: readonly string[]) {
  const [closed, ...others] = owners;
  const removals = others.flatMap((ownerId) =>
    bindingIds.map((bindingId) => create(BindingRemovedSchema, { ownerId, bindingId })),
  );
  await mailbox.consume(topics.bindingRemoved, removals);
  await mailbox.consume(topics.accountClosed, [create(AccountClosedSchema, { accountId: closed ?? "" })]);
  // The last look comes in the next round.
  await mailbox.db.query("update erasure set asked_at = now() - interval '1 hour', due_at = now()");
  await mailbox.erase();
}

async function eventsRead(owners: readonly string[]) {
  for (const ownerId of owners) await mailbox.client.events({ ownerId, first: 100 });
  await deleteOldEvents(mailbox.db);
  await deleteSurplus(mailbox.db);
}

test("bindings are removed while late mail of removed bindings is recorded", async () => {
  const ownerId = newId();
  const bindingIds = Array.from({ length: 60 }, () => newId());
  const removals = () => shuffled(bindingIds).map((bindingId) => create(BindingRemovedSchema, { ownerId, bindingId }));
  const lateMails = () => shuffled(bindingIds).map((bindingId) => accepted({ ownerId, bindingId }));
  await mailbox.consume(topics.bindingRemoved, removals());
  for (let round = 0; round < rounds; round++)
    await Promise.all([
      ...[removals(), removals()].map((messages) => mailbox.consume(topics.bindingRemoved, messages)),
      ...[lateMails(), lateMails()].map((messages) => mailbox.consume(topics.mailAccepted, messages)),
    ]);
});

test("no two transactions of mailbox wait for each other, whatever runs beside what", async () => {
  const failures: unknown[] = [];
  let former: Mail[] = [];
  let formerOwners: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const owners = [newId(), newId()];
    const bindingsOf = new Map(owners.map((ownerId) => [ownerId, [newId(), newId(), newId()]]));
    for (const id of [...bindingsOf.values()].flat()) mailbox.peers.browsable.set(id, true);
    const mails = newMails(owners, bindingsOf);
    const [early, late] = [some(mails), shuffled(mails)];
    await mailbox.consume(topics.mailAccepted, early);
    await mailbox.read();
    await unlisted(some(early));
    const all = [...early, ...former];
    const done = await Promise.allSettled([
      mailbox.consumeTogether(late, outcomesOf(some(late))),
      mailbox.consumeTogether(shuffled(late), outcomesOf(shuffled(early))),
      mailbox.consume(topics.deliverySettled, outcomesOf(shuffled(all))),
      mailbox.consume(
        topics.deliveryDeferred,
        shuffled(all).map(({ emailId }) => deferred(emailId)),
      ),
      mailbox.read(),
      ...[marked(all, false), marked(all, true), marked(all, false), marked(all, true)],
      ...[...owners, ...formerOwners].map((ownerId) => markAllRead(mailbox.db, ownerId, undefined)),
      ...[removed(all), removed(all)],
      mailbox.expire(),
      erased(formerOwners.length === 0 ? owners : formerOwners, [...new Set(former.map(({ bindingId }) => bindingId))]),
      backfilled(),
      eventsRead([...owners, ...formerOwners]),
    ]);
    failures.push(...done.flatMap((each) => (each.status === "rejected" ? [each.reason] : [])));
    [former, formerOwners] = [mails, owners];
  }
  expect(failures).toEqual([]);
  // What was tried again, too. A backend says so when it ends.
  await mailbox.db.close();
  await eventually(async () => {
    const others = "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    expect(await asSuperuser(mailbox.db.adminUrl, others)).toEqual([]);
  });
  const deadlocks = "select deadlocks::integer from pg_stat_database where datname = current_database()";
  expect(await asSuperuser(mailbox.db.adminUrl, deadlocks)).toEqual([{ deadlocks: 0 }]);
}, 300_000);
