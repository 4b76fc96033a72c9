import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Channel, type DeliverySettled, Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { newId } from "../../platform/ids.ts";
import {
  accepted,
  deferred,
  type MailboxUnderTest,
  settled,
  startMailbox,
  targets,
} from "../test-support/mailbox-under-test.ts";

let mailbox: MailboxUnderTest;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 0, 5, 10, 0, second)));

/** What an email is like, what was heard of it before, and the outcomes that come as it is recorded. */
const scenarios = fc.record({
  targetCount: fc.nat({ max: 2 }),
  isHeldForOne: fc.boolean(),
  hasCallback: fc.boolean(),
  isBrowsable: fc.boolean(),
  isStorageFull: fc.boolean(),
  before: fc.constantFrom("nothing", "nothing", "nothing", "deferral", "outcome", "acceptance", "erasure"),
  isAcceptedNow: fc.constantFrom(true, true, true, false),
  outcomes: fc.array(
    fc.record({
      target: fc.nat({ max: 2 }),
      outcome: fc.oneof(
        { weight: 3, arbitrary: fc.constant(Outcome.DELIVERED) },
        fc.constantFrom(Outcome.GIVEN_UP, Outcome.BOUNCED, Outcome.CANCELLED),
      ),
      attemptCount: fc.integer({ min: 1, max: 2 }),
    }),
    { maxLength: 4 },
  ),
});
type Scenario = Parameters<Parameters<typeof scenarios.map>[0]>[0];

interface Prepared {
  readonly mail: MailAccepted;
  readonly isAcceptedNow: boolean;
  readonly outcomes: readonly DeliverySettled[];
}

/** An email of its own, up to what is to be recorded now. */
async function prepare(scenario: Scenario): Promise<Prepared> {
  const { targetCount, isHeldForOne, hasCallback, isBrowsable, isStorageFull, before, isAcceptedNow } = scenario;
  const mail = accepted({
    targets: targets.slice(0, targetCount),
    unverifiedTargets: isHeldForOne ? [{ addressId: newId(), address: "new@example.org" }] : [],
    callbackUrl: hasCallback ? "https://example.org/hook" : "",
    isBrowsable,
    receivedAt: at(0),
  });
  const { emailId, ownerId, bindingId } = mail;
  if (isStorageFull) await mailbox.db.query("insert into storage (owner_id, is_full) values ($1, true)", [ownerId]);
  const outcomes = scenario.outcomes.map(({ target, outcome, attemptCount }, index) => {
    const to = [
      { targetId: targets[0]?.addressId ?? "" },
      { targetId: targets[1]?.addressId ?? "" },
      { targetId: bindingId, channel: Channel.CALLBACK },
    ][target];
    return settled(emailId, { outcome, attemptCount, settledAt: at(10 + index), ...to });
  });
  if (before === "deferral") await mailbox.consume(topics.deliveryDeferred, [deferred(emailId, { deferredAt: at(1) })]);
  if (before === "outcome") await mailbox.consume(topics.deliverySettled, [settled(emailId, { settledAt: at(2) })]);
  if (before === "acceptance" || before === "erasure") await mailbox.consume(topics.mailAccepted, [mail]);
  if (before === "erasure") {
    await mailbox.consume(topics.accountClosed, [{ accountId: ownerId } as never]);
    await mailbox.erase();
  }
  return { mail, isAcceptedNow, outcomes };
}

/** All that the mailbox knows of an email and says of it, without ids. */
async function knownOf({ mail: { emailId, ownerId } }: Prepared) {
  const read = async (query: string, params: readonly string[]) => (await mailbox.db.query(query, params)).rows;
  const released = await mailbox.published(topics.mailReleased);
  return {
    email: await read(
      `select sender, recipient, size_bytes, expected_outcomes, is_browsable, is_processed, is_released, erased_at is not null as is_erased
         from email where id = $1`,
      [emailId],
    ),
    entry: await read(
      `select received_at, is_kept, delivered_count, failed_count, retrying_count, held_count, next_attempt_at, failure_reasons
         from mail_entry where owner_id = $1 and email_id = $2`,
      [ownerId, emailId],
    ),
    days: await read(
      "select day, received, delivered, failed, unread, last_at from mail_day where owner_id = $1 order by binding_id = $1, 2, 3",
      [ownerId],
    ),
    timeline: await read(
      `select kind, attempt_count, at, target, detail, is_end, next_attempt_at, failure_reason from timeline
        where email_id = $1 and kind <> 'not_kept' order by at, kind, target_id = $1, attempt_count, target`,
      [emailId],
    ),
    events: await read("select kind, at, data from account_event where email_id = $1 order by at, kind, data::text", [
      emailId,
    ]),
    jobs: await read("select size_bytes, attempt_count from parse_job where email_id = $1", [emailId]),
    releases: released.filter((message) => message.emailId === emailId).length,
  };
}

test("emails and outcomes that come together end as they do one after the other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(scenarios, { minLength: 1, maxLength: 4 }), async (given) => {
      const prepareAll = async () => {
        const prepared: Prepared[] = [];
        for (const scenario of given) prepared.push(await prepare(scenario));
        const mails = prepared.filter(({ isAcceptedNow }) => isAcceptedNow).map(({ mail }) => mail);
        return { prepared, mails, outcomes: prepared.flatMap(({ outcomes }) => outcomes) };
      };
      const [together, apart] = [await prepareAll(), await prepareAll()];
      await mailbox.consumeTogether(together.mails, together.outcomes);
      if (apart.mails.length > 0) await mailbox.consume(topics.mailAccepted, apart.mails);
      if (apart.outcomes.length > 0) await mailbox.consume(topics.deliverySettled, apart.outcomes);
      for (const [index, each] of together.prepared.entries())
        expect(await knownOf(each)).toEqual(await knownOf(apart.prepared[index] as Prepared));
    }),
    { numRuns: 100 },
  );
});

test("an email whose deliveries have ended is written once", async () => {
  const mails = [accepted({ targets }), accepted({ targets: targets.slice(0, 1) })];
  const [first, second] = mails.map(({ emailId }) => emailId);
  const outcomes = targets.map(({ addressId: targetId, address: target }) =>
    settled(first ?? "", { targetId, target }),
  );
  await mailbox.consumeTogether(mails, [...outcomes, settled(second ?? "")]);
  const { rows } = await mailbox.db.query(
    `select is_processed, is_released, delivered_count, email.xmax::text as email_change, entry.xmax::text as entry_change
       from email join mail_entry as entry on entry.email_id = email.id where email.id = any ($1::uuid[]) order by delivered_count`,
    [[first, second]],
  );
  const once = { isProcessed: true, isReleased: true, emailChange: "0", entryChange: "0" };
  expect(rows).toEqual([
    { ...once, deliveredCount: 1 },
    { ...once, deliveredCount: 2 },
  ]);
});

test("replicas that record each other's emails and outcomes never wait for each other in a circle", async () => {
  const [one, other] = [newId(), newId()];
  const mailsOf = (ownerIds: readonly string[]) =>
    Array.from({ length: 20 }, (_, index) => {
      const ownerId = ownerIds[index % 2] ?? one;
      return accepted({ ownerId, bindingId: ownerId, targets: targets.slice(0, 1), receivedAt: at(0) });
    });
  const outcomesOf = (mails: readonly MailAccepted[]) => mails.map(({ emailId }) => settled(emailId));
  for (let round = 0; round < 15; round++) {
    const former = mailsOf([one, other]);
    await mailbox.consumeTogether(former, []);
    const [left, right] = [mailsOf([one]), mailsOf([other])];
    await Promise.all([
      mailbox.consumeTogether(left, outcomesOf([...right, ...former])),
      mailbox.consumeTogether(right.toReversed(), outcomesOf(left.toReversed())),
      mailbox.consume(
        topics.deliveryDeferred,
        [...former, ...left, ...right].map(({ emailId }) => deferred(emailId, { deferredAt: at(1) })),
      ),
    ]);
  }
  const { rows } = await mailbox.db.query(
    "select sum(received)::integer as received, sum(delivered)::integer as delivered from mail_day where owner_id = any ($1::uuid[]) and binding_id = owner_id",
    [[one, other]],
  );
  expect(rows).toEqual([{ received: 15 * 60, delivered: 15 * 60 }]);
});

test("who waits for an email holds none behind it", async () => {
  const [former, mail] = [accepted({ targets: targets.slice(0, 1) }), accepted({ targets: targets.slice(0, 1) })];
  await mailbox.consumeTogether([former], []);
  const waiting = async (count: number) =>
    eventually(async () => {
      const { rows } = await mailbox.db.query(
        "select count(*)::integer from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toEqual([{ count }]);
    });
  const [locked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = mailbox.db.tx(async (tx) => {
    await tx.query("select from email where id = $1 for no key update", [former.emailId]);
    locked.resolve();
    await gate.promise;
  });
  await locked.promise;
  const together = mailbox.consumeTogether([mail], [settled(former.emailId)]);
  await waiting(1);
  const deferrals = mailbox.consume(
    topics.deliveryDeferred,
    [former, mail].map(({ emailId }) => deferred(emailId)),
  );
  await waiting(2);
  gate.resolve();
  await Promise.all([holder, together, deferrals]);
});
