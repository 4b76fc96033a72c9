import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { v7 } from "uuid";
import { AccountClosedSchema } from "../../../proto/gen/postern/auth/v1/account_closed_pb.js";
import { BindingRemovedSchema } from "../../../proto/gen/postern/bindings/v1/binding_removed_pb.js";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { Database } from "../../platform/db/types.ts";
import { dayMs } from "../../platform/durations.ts";
import { newId } from "../../platform/ids.ts";
import { recordEmails } from "../emails/record-emails.ts";
import { markEmails } from "../lists/list-entries.ts";
import { mailCounts, wholeAccount } from "../lists/mail-counts.ts";
import {
  accepted,
  deferred,
  type MailboxUnderTest,
  receive,
  settled,
  startMailbox,
  targets,
} from "../test-support/mailbox-under-test.ts";

type Mail = Awaited<ReturnType<typeof receive>>;

let mailbox: MailboxUnderTest;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

const raw = "Subject: s\r\nContent-Type: application/pdf\r\n\r\npdf";
const notFound = { kind: "NotFound" };

async function released(emailId: string): Promise<number> {
  return (await mailbox.published(topics.mailReleased)).filter((message) => message.emailId === emailId).length;
}

async function rowsOf(emailId: string): Promise<Record<string, number>> {
  const { rows } = await mailbox.db.query<Record<string, number>>(
    `select (select count(*) from content where email_id = $1) as content, (select count(*) from attachment where email_id = $1) as attachment,
            (select count(*) from timeline where email_id = $1) as timeline, (select count(*) from email where id = $1) as email`,
    [emailId],
  );
  return rows[0] ?? {};
}

test("a removed email is gone once, its timeline stays, its bytes are released", async () => {
  const { ownerId, bindingId, emailId } = await receive(mailbox, raw);
  await mailbox.client.remove({ ownerId, emailId });
  await expect(mailbox.client.remove({ ownerId, emailId })).rejects.toMatchObject(notFound);
  await expect(mailbox.client.details({ ownerId, emailId })).rejects.toMatchObject(notFound);
  expect(await mailbox.client.list({ ownerId, bindingId })).toMatchObject({ emails: [] });
  expect(await mailbox.client.timeline({ ownerId, emailId })).toHaveLength(2);
  expect(await rowsOf(emailId)).toEqual({ content: 0, attachment: 0, timeline: 1, email: 1 });
  expect(await mailbox.count("blob")).toBe(0);
  expect(await released(emailId)).toBe(1);
});

test("the bytes of a removed email stay until its last delivery has ended", async () => {
  const { ownerId, emailId } = await receive(mailbox, raw, { targets: targets.slice(0, 1) });
  await mailbox.client.remove({ ownerId, emailId });
  expect(await released(emailId)).toBe(0);
  await mailbox.consume(topics.deliverySettled, [settled(emailId)]);
  expect(await released(emailId)).toBe(1);
});

test("an email that is removed before it was read needs nobody else to end its callback", async () => {
  const mail = accepted({ isBrowsable: true, callbackUrl: "https://example.org/hook" });
  const { ownerId, emailId } = mail;
  await mailbox.consume(topics.mailAccepted, [mail]);
  await mailbox.client.remove({ ownerId, emailId });
  await mailbox.read();
  expect((await mailbox.client.timeline({ ownerId, emailId })).map(({ kind }) => kind)).toEqual([
    "accepted",
    "callback_cancelled",
  ]);
  expect(await released(emailId)).toBe(1);
});

test.each([
  ["removes", ({ ownerId, emailId }: Mail) => mailbox.client.remove({ ownerId, emailId })],
  ["marks", ({ ownerId, emailId }: Mail) => markEmails(mailbox.db, ownerId, [emailId], false)],
])("an owner %s an email though another transaction and this one wait for each other", async (_, ask) => {
  const mail = await receive(mailbox, raw);
  const other = openDatabase({ url: mailbox.db.adminUrl, schema: "mailbox", logger: silentLogger });
  const entry = "select from mail_entry where owner_id = $1 for update";
  const { asked, rival } = await mailbox.db.tx(async (tx) => {
    await tx.query(entry, [mail.ownerId]);
    const answer = ask(mail);
    answer.catch(() => undefined);
    await waiting(other, 1);
    const locked = other.tx(async (its) => {
      // What waits first is told of the deadlock, and not this transaction, however slow the machine is.
      await its.query("set local deadlock_timeout = '30s'");
      await its.query("select from mail_day where owner_id = $1 for update", [mail.ownerId]);
      await its.query(entry, [mail.ownerId]);
    });
    locked.catch(() => undefined);
    // Behind the other: once this transaction ends, that one has the entry and waits for the day, and this one for the entry.
    await waiting(other, 2);
    return { asked: { answer }, rival: { locked } };
  });
  await Promise.all([asked.answer, rival.locked]);
  await other.close();
  expect((await mailCounts(mailbox.db, mail.ownerId, [wholeAccount])).get(wholeAccount)).toMatchObject({ unread: 0 });
});

/** Until so many wait for a lock. @param admin sees every role's sessions */
async function waiting(admin: Database, count: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await admin.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(count);
  });
}

test("with a binding go its emails, and nothing of them comes back", async () => {
  const { ownerId, bindingId, emailId } = await receive(mailbox, raw, { targets });
  const other = await receive(mailbox, raw, { ownerId });
  await mailbox.consume(topics.deliveryDeferred, [deferred(emailId)]);
  const removal = create(BindingRemovedSchema, { ownerId, bindingId });
  await mailbox.consume(topics.bindingRemoved, [removal, removal]);
  await mailbox.erase();
  await expect(mailbox.client.timeline({ ownerId, emailId })).rejects.toMatchObject(notFound);
  expect(await rowsOf(emailId)).toEqual({ content: 0, attachment: 0, timeline: 0, email: 1 });
  expect(await released(emailId)).toBe(1);
  // What the deliveries say as they are cancelled tells nobody's address any more.
  const cancelled = targets.map(({ addressId: targetId, address: target }) =>
    settled(emailId, { targetId, target, outcome: Outcome.CANCELLED }),
  );
  await mailbox.consume(topics.deliverySettled, cancelled);
  const { rows } = await mailbox.db.query("select target, detail from timeline where email_id = $1", [emailId]);
  expect(rows).toEqual(targets.map(() => ({ target: null, detail: null })));
  expect(await released(emailId)).toBe(1);
  const late = accepted({ ownerId, bindingId, isBrowsable: true });
  await mailbox.consume(topics.mailAccepted, [late]);
  await mailbox.erase();
  expect(await rowsOf(late.emailId)).toMatchObject({ content: 0 });
  await expect(mailbox.client.timeline({ ownerId, emailId: late.emailId })).rejects.toMatchObject(notFound);
  expect(await released(late.emailId)).toBe(1);
  expect(await mailbox.client.timeline({ ownerId, emailId: other.emailId })).toHaveLength(2);
});

test("of a binding that is gone, each late email goes, however many come", async () => {
  const { ownerId, bindingId } = accepted();
  await mailbox.consume(topics.bindingRemoved, [create(BindingRemovedSchema, { ownerId, bindingId })]);
  await mailbox.erase();
  for (let count = 0; count < 15; count++) {
    const { emailId } = await receive(mailbox, raw, { ownerId, bindingId });
    await mailbox.erase();
    await expect(mailbox.client.timeline({ ownerId, emailId })).rejects.toMatchObject(notFound);
  }
});

describe("an email that is being recorded while its binding's emails are erased", () => {
  /** Its transaction is open until it is asked to end. */
  async function recording(mail: ReturnType<typeof accepted>) {
    const [recorded, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const incoming = { id: newId(), key: mail.emailId, message: mail, occurredAt: new Date(), trace: {} };
    const ended = mailbox.db.tx(async (tx) => {
      await recordEmails(tx, [{ ...incoming, direction: "FORWARD" }], () => undefined);
      recorded.resolve();
      await committing.promise;
    });
    await Promise.race([recorded.promise, ended]);
    return async () => {
      committing.resolve();
      await ended;
    };
  }

  const goneOf = async ({ ownerId, emailId }: Mail) =>
    expect(mailbox.client.timeline({ ownerId, emailId })).rejects.toMatchObject(notFound);

  test("goes with them, if their erasure was asked for before", async () => {
    const mail = accepted({ isBrowsable: true });
    await mailbox.consume(topics.bindingRemoved, [
      create(BindingRemovedSchema, { ownerId: mail.ownerId, bindingId: mail.bindingId }),
    ]);
    const commit = await recording(mail);
    await mailbox.erase();
    await commit();
    await mailbox.erase();
    await goneOf(mail);
  });

  test("goes with them, if their erasure was asked for since", async () => {
    const mail = accepted({ isBrowsable: true });
    const commit = await recording(mail);
    await mailbox.consume(topics.bindingRemoved, [
      create(BindingRemovedSchema, { ownerId: mail.ownerId, bindingId: mail.bindingId }),
    ]);
    await mailbox.erase();
    await commit();
    // A minute later.
    await mailbox.db.query(
      "update erasure set asked_at = asked_at - interval '61 s', due_at = due_at - interval '61 s' where binding_id = $1",
      [mail.bindingId],
    );
    await mailbox.erase();
    await goneOf(mail);
    const { rows } = await mailbox.db.query("select is_done from erasure where binding_id = $1", [mail.bindingId]);
    expect(rows).toEqual([{ isDone: true }]);
  });
});

test("with an account go all its emails, however many", async () => {
  const { ownerId } = accepted();
  const mails = Array.from({ length: 1_200 }, () => accepted({ ownerId, targets }));
  await mailbox.consume(topics.mailAccepted, mails);
  await mailbox.consume(topics.accountClosed, [create(AccountClosedSchema, { accountId: ownerId })]);
  await mailbox.erase();
  const { rows } = await mailbox.db.query<{ row: string }>(
    "select email::text as row from email where id = any ($1::uuid[])",
    [mails.map(({ emailId }) => emailId)],
  );
  expect(rows).toHaveLength(1_200);
  expect(rows.filter(({ row }) => row.includes(ownerId) || row.includes("@"))).toEqual([]);
});

test("retention takes all that is older, and releases what was still kept", async () => {
  const longAgo = v7({ msecs: Date.now() - 31 * dayMs });
  await receive(mailbox, raw, { emailId: longAgo, targets });
  await mailbox.consume(topics.deliverySettled, [settled(longAgo)]);
  const recent = await receive(mailbox, raw, { emailId: v7({ msecs: Date.now() - 29 * dayMs }) });
  await mailbox.expire();
  expect(await rowsOf(longAgo)).toEqual({ content: 0, attachment: 0, timeline: 0, email: 0 });
  expect(await released(longAgo)).toBe(1);
  expect(await rowsOf(recent.emailId)).toEqual({ content: 1, attachment: 1, timeline: 1, email: 1 });
});
