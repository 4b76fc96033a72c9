import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { NIL } from "uuid";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import {
  accepted,
  deferred,
  type MailboxUnderTest,
  receive,
  secondTarget,
  settled,
  startMailbox,
  targets,
} from "../test-support/mailbox-under-test.ts";
import { adjacentEmails } from "./adjacent-emails.ts";
import { type ListQuery, listAccountEmails } from "./list-account-emails.ts";
import { backfillListBatch } from "./list-backfill.ts";
import { markAllRead, markEmails } from "./list-entries.ts";
import { mailCounts, mailDays, wholeAccount } from "./mail-counts.ts";

let mailbox: MailboxUnderTest;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

async function listed(ownerId: string, question: Partial<ListQuery> = {}) {
  return (await listAccountEmails(mailbox.db, { ownerId, first: 20, ...question })).emails;
}

async function idsOf(ownerId: string, question: Partial<ListQuery> = {}): Promise<string[]> {
  return (await listed(ownerId, question)).map(({ id }) => id);
}

async function countsOf(ownerId: string, bindingId: string = wholeAccount) {
  const counts = (await mailCounts(mailbox.db, ownerId, [bindingId])).get(bindingId);
  return counts && [counts.received, counts.failed, counts.unread];
}

const mailFrom = (from: string, subject: string, body = "Hello") =>
  `From: ${from}\r\nSubject: ${subject}\r\n\r\n${body}\r\n`;

describe("outcomes", () => {
  test("are counted by what was last heard of each target", async () => {
    const mail = accepted({ targets });
    const { emailId, ownerId, bindingId } = mail;
    await mailbox.consume(topics.mailAccepted, [mail]);
    const outcomes = async () => {
      const [row] = await listed(ownerId);
      return row && [row.deliveredCount, row.failedCount, row.retryingCount, row.heldCount, row.nextAttemptAt];
    };
    const next = new Date("2026-11-22T12:00:00Z");
    expect(await outcomes()).toEqual([0, 0, 0, 0, null]);
    await mailbox.consume(topics.deliveryDeferred, [deferred(emailId, { nextAttemptAt: timestampFromDate(next) })]);
    expect(await outcomes()).toEqual([0, 0, 1, 0, next]);
    await mailbox.consume(topics.deliverySettled, [
      settled(emailId, { outcome: Outcome.GIVEN_UP, attemptCount: 2 }),
      settled(emailId, secondTarget),
    ]);
    expect(await outcomes()).toEqual([1, 1, 0, 0, null]);
    expect([await countsOf(ownerId), await countsOf(ownerId, bindingId)]).toEqual([
      [1, 1, 0],
      [1, 1, 0],
    ]);
    const undelivered = await idsOf(ownerId, { undelivered: ["FAILED"] });
    expect([undelivered, await idsOf(ownerId, { undelivered: ["RETRYING", "HELD"] })]).toEqual([[emailId], []]);
    const since = (ageMs: number) => idsOf(ownerId, { undelivered: ["FAILED"], since: new Date(Date.now() - ageMs) });
    expect([await since(3_600_000), await since(-3_600_000)]).toEqual([[emailId], []]);
    // Its owner had it tried again.
    await mailbox.consume(topics.deliverySettled, [settled(emailId, { attemptCount: 3 })]);
    expect([await outcomes(), await countsOf(ownerId)]).toEqual([
      [2, 0, 0, 0, null],
      [1, 0, 0],
    ]);
  });

  test("that come first are counted once the email is known", async () => {
    const mail = accepted({ targets: targets.slice(0, 1) });
    await mailbox.consume(topics.deliverySettled, [settled(mail.emailId, { outcome: Outcome.GIVEN_UP })]);
    await mailbox.consume(topics.mailAccepted, [mail]);
    expect(await listed(mail.ownerId)).toMatchObject([{ failedCount: 1, expectedOutcomes: 1, isProcessed: true }]);
    expect(await countsOf(mail.ownerId)).toEqual([1, 1, 0]);
  });

  test("an unverified recipient is held, in the list and on the timeline", async () => {
    const mail = accepted({ unverifiedTargets: targets.slice(0, 1) });
    const { emailId, ownerId } = mail;
    await mailbox.consume(topics.mailAccepted, [mail]);
    expect(await listed(ownerId, { undelivered: ["HELD"] })).toMatchObject([{ heldCount: 1 }]);
    expect(await mailbox.client.timeline({ ownerId, emailId })).toContainEqual(
      expect.objectContaining({ kind: "held", target: targets[0]?.address }),
    );
  });
});

describe("a list", () => {
  test("has who wrote, how it begins, and what of it is unread", async () => {
    const ownerId = newId();
    const { emailId, bindingId } = await receive(
      mailbox,
      mailFrom(
        "=?utf-8?Q?J=C3=B6rg_=E2=80=AEM=C3=BCller?= <joerg@shop.example>",
        "Order",
        "Dear  Ann,\r\n\r\nthank you.",
      ),
      { ownerId },
    );
    expect(await listed(ownerId)).toMatchObject([
      { id: emailId, fromName: "Jörg Müller", fromAddress: "joerg@shop.example", preview: "Dear Ann, thank you." },
    ]);
    expect([await idsOf(ownerId, { isUnread: true }), await countsOf(ownerId, bindingId)]).toEqual([
      [emailId],
      [1, 0, 1],
    ]);
    expect(await markEmails(mailbox.db, newId(), [emailId], false)).toEqual([]);
    expect(await markEmails(mailbox.db, ownerId, [emailId, emailId, "'", newId()], false)).toEqual([emailId]);
    expect(await markEmails(mailbox.db, ownerId, [emailId], false)).toEqual([]);
    expect([await idsOf(ownerId, { isUnread: true }), await countsOf(ownerId)]).toEqual([[], [1, 0, 0]]);
    await markEmails(mailbox.db, ownerId, [emailId], true);
    expect(await markAllRead(mailbox.db, ownerId, newId())).toBe(0);
    expect(await markAllRead(mailbox.db, newId(), bindingId)).toBe(0);
    expect([await markAllRead(mailbox.db, ownerId, bindingId), await countsOf(ownerId)]).toEqual([1, [1, 0, 0]]);
  });

  test("goes over all bindings, in pages; what was only forwarded is a line without content", async () => {
    const ownerId = newId();
    const kept = await receive(mailbox, mailFrom("a@b.example", "Kept"), { ownerId });
    const forwarded = accepted({ ownerId, targets: targets.slice(0, 1) });
    await mailbox.consume(topics.mailAccepted, [forwarded]);
    expect(await listed(ownerId)).toMatchObject([
      { id: forwarded.emailId, sender: "sender@example.com", subject: null, preview: null, isKept: false },
      { id: kept.emailId, subject: "Kept", isKept: true },
    ]);
    const page = await listAccountEmails(mailbox.db, { ownerId, first: 1 });
    expect([page.emails.map(({ id }) => id), page.nextCursor]).toEqual([[forwarded.emailId], forwarded.emailId]);
    expect(await idsOf(ownerId, { after: forwarded.emailId })).toEqual([kept.emailId]);
    expect(await idsOf(ownerId, { isKept: true })).toEqual([kept.emailId]);
    expect(await idsOf(ownerId, { bindingId: forwarded.bindingId })).toEqual([forwarded.emailId]);
    for (const bindingId of [newId(), "'"]) expect(await idsOf(ownerId, { bindingId })).toEqual([]);
    expect(await idsOf(newId())).toEqual([]);
    expect(await adjacentEmails(mailbox.db, ownerId, [kept.emailId])).toEqual(
      new Map([[kept.emailId, { olderId: null, newerId: null }]]),
    );
    await expect(listed(ownerId, { after: "x" })).rejects.toMatchObject({ kind: "ValidationFailed" });
    expect(await mailDays(mailbox.db, ownerId, [wholeAccount], "2020-01-01")).toEqual(
      new Map([
        [wholeAccount, [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), received: 2, delivered: 0, failed: 0 }]],
      ]),
    );
  });
});

describe("what is removed", () => {
  test("leaves lists, searches and counts of what is left to do", async () => {
    const ownerId = newId();
    const { emailId, bindingId } = await receive(mailbox, mailFrom("a@b.example", "Away"), { ownerId, targets });
    await mailbox.consume(topics.deliverySettled, [settled(emailId, { outcome: Outcome.GIVEN_UP })]);
    expect(await countsOf(ownerId)).toEqual([1, 1, 1]);
    await mailbox.client.remove({ ownerId, emailId });
    await mailbox.consume(topics.deliverySettled, [settled(emailId, { ...secondTarget, outcome: Outcome.GIVEN_UP })]);
    expect([await idsOf(ownerId), await idsOf(ownerId, { search: "away" })]).toEqual([[], []]);
    expect(await countsOf(ownerId, bindingId)).toEqual([1, 0, 0]);
  });

  test("takes the counts of a closed account along", async () => {
    const ownerId = newId();
    const { emailId } = await receive(mailbox, mailFrom("a@b.example", "Away"), { ownerId, targets });
    await mailbox.consume(topics.accountClosed, [{ accountId: ownerId } as never]);
    await mailbox.erase();
    await mailbox.consume(topics.deliverySettled, [settled(emailId, { outcome: Outcome.GIVEN_UP })]);
    for (const table of ["mail_entry", "mail_day", "mail_search"]) {
      const { rows } = await mailbox.db.query(`select from ${table} where owner_id = $1`, [ownerId]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });

  test("goes with its retention", async () => {
    const ownerId = newId();
    await receive(mailbox, mailFrom("a@b.example", "Old"), { ownerId });
    await mailbox.db.query("update mail_day set day = day - 40 where owner_id = $1", [ownerId]);
    await mailbox.expire(30);
    expect([await countsOf(ownerId), await idsOf(ownerId)]).toEqual([undefined, [expect.any(String)]]);
  });
});

describe("mail from before there were lists", () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  /** As a process of that release records it. */
  async function former(ownerId: string): Promise<string> {
    const { emailId } = await receive(mailbox, mailFrom("a@b.example", "Former"), { ownerId, targets });
    await mailbox.consume(topics.deliverySettled, [settled(emailId, { outcome: Outcome.GIVEN_UP })]);
    for (const table of ["mail_entry", "mail_day", "mail_search"])
      await mailbox.db.query(`delete from ${table} where owner_id = $1`, [ownerId]);
    return emailId;
  }

  test("is listed, once", async () => {
    const ownerId = newId();
    const emailId = await former(ownerId);
    for (let round = 0; round < 2; round++) {
      while (await backfillListBatch(mailbox.db, inAnHour()));
      expect(await idsOf(ownerId, { search: "former", undelivered: ["FAILED"] })).toEqual([emailId]);
      expect(await countsOf(ownerId)).toEqual([1, 1, 0]);
      await mailbox.db.query("update mail_listing set last_id = $1", [NIL]);
    }
  });

  test("is listed up to some days after the rollout alone", async () => {
    const ownerId = newId();
    await former(ownerId);
    await mailbox.db.query("update mail_listing set ends_at = ends_at - interval '8 days'");
    while (await backfillListBatch(mailbox.db, inAnHour()));
    expect(await idsOf(ownerId)).toEqual([]);
    await mailbox.db.query("update mail_listing set ends_at = ends_at + interval '8 days'");
    while (await backfillListBatch(mailbox.db, inAnHour()));
    expect(await idsOf(ownerId)).toHaveLength(1);
  });

  test("is not passed over while earlier ids may come, nor gone through again, nor by two at once", async () => {
    const ownerId = newId();
    const emailId = await former(ownerId);
    while (await backfillListBatch(mailbox.db));
    expect(await idsOf(ownerId)).toEqual([]);
    await mailbox.db.tx(async (tx) => {
      await tx.query("select from mail_listing for update");
      expect(await backfillListBatch(mailbox.db, inAnHour())).toBe(false);
    });
    expect(await idsOf(ownerId)).toEqual([]);
    while (await backfillListBatch(mailbox.db, inAnHour()));
    expect(await idsOf(ownerId)).toEqual([emailId]);
    await mailbox.db.query("delete from mail_entry where owner_id = $1", [ownerId]);
    while (await backfillListBatch(mailbox.db, inAnHour()));
    expect(await idsOf(ownerId)).toEqual([]);
  });
});
