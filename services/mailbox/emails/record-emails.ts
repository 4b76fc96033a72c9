import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { binaryArray } from "../../platform/db/binary-values.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { storableText } from "../../platform/storable-text.ts";
import {
  addAccountEvents,
  addEarlierOutcomeEvents,
  addOutcomeEvents,
  arrivedEvent,
} from "../account-events/add-events.ts";
import type { DayArrival } from "../lists/mail-counts.ts";
import { arrivalEntries, overQuotaEntry, pathLimit } from "./arrival-entries.ts";
import { countOutcomes } from "./outcome-counts.ts";
import { publishReleased, releaseRawMessages } from "./release-raw-messages.ts";
import { addTimelineEntries, type NewTimelineEntry } from "./timeline.ts";
import { successes } from "./timeline-kinds.ts";

const acceptedEmails = recordSet({
  id: "uuid",
  ownerId: "uuid",
  bindingId: "uuid",
  receivedAt: "timestamptz",
  sender: "text",
  recipient: "text",
  proxyAddress: "text",
  callbackUrl: "text",
  receivedFrom: "text",
  authenticationResults: "text",
  sizeBytes: "bigint",
  rawId: "uuid",
  expectedOutcomes: "integer",
  deliveredCount: "integer",
  isBrowsable: "boolean",
  isKeptOnly: "boolean",
  direction: "text",
  dmarc: "text",
  dkim: "text",
  trace: "jsonb",
});
const scopes = recordSet({ ownerId: "uuid", bindingId: "uuid" });

const resultsLimit = 8_000;

/** An email that ingress accepted, and whether it came from outside or from its owner. */
type AcceptedEmail = IncomingEvent<MailAccepted> & { readonly direction: "FORWARD" | "ANSWER" | "SEND" };

/**
 * Records emails with what is known of them from the beginning, with a parse job for those that are browsable or have a callback, and outcomes
 * of deliveries, theirs or others'. Locks are taken in the order of list-entries.ts, after those of erasures: emails, their
 * entries, days.
 * @param wake called once there may be parse jobs
 */
export async function recordEmails(
  tx: Transaction,
  events: readonly AcceptedEmail[],
  wake: () => void,
  outcomes: readonly NewTimelineEntry[] = [],
): Promise<void> {
  const accepted = new Map(events.map((event) => [event.message.emailId, event]));
  const mails = [...accepted.values()].map((event) => event.message);
  const deliveries = firstDeliveries(outcomes);
  const rows = [...accepted.values()].map((event) => emailOf(event, deliveries));
  const others = [...new Set(outcomes.map(({ emailId }) => emailId))].filter((id) => !accepted.has(id));
  const [, recorded] = await Promise.all([reopenErasures(tx, mails), insertEmails(tx, rows, others)]);
  const isNew = idsOf(recorded, () => true);
  const earlier = idsOf(recorded, ({ hasEarlierOutcomes }) => hasEarlierOutcomes);
  const overQuota = idsOf(recorded, ({ isOverQuota }) => isOverQuota);
  const isWritten = ({ emailId }: NewTimelineEntry) =>
    deliveries.has(emailId) && isNew.has(emailId) && !earlier.has(emailId);
  const counted = outcomes.filter((outcome) => !isWritten(outcome)).map(({ emailId }) => emailId);
  const held = mails.filter(({ unverifiedTargets }) => unverifiedTargets.length > 0).map(({ emailId }) => emailId);
  const arrived = [...accepted.values()].filter(({ message }) => isNew.has(message.emailId));
  await Promise.all([
    // Before this batch's outcomes are in the timeline.
    addEarlierOutcomeEvents(tx, [...earlier]),
    addTimelineEntries(tx, [...[...overQuota].map(overQuotaEntry), ...mails.flatMap(arrivalEntries), ...outcomes]),
    countOutcomes(
      tx,
      [...new Set([...earlier, ...held, ...counted])],
      rows.filter(({ id }) => isNew.has(id)).map(asDayArrival),
    ),
    publishReleased(
      tx,
      recorded.filter(({ isReleased }) => isReleased),
    ),
    releaseRawMessages(tx, [...earlier]),
    addAccountEvents(tx, arrived.flatMap(arrivalOf(overQuota))),
    addOutcomeEvents(tx, outcomes),
  ]);
  if (mails.some(needsParsing)) tx.afterCommit(wake);
}

/**
 * By email, deliveries that succeeded where nothing else is said of it: what has failed, or is said of one target twice, has to be counted.
 */
function firstDeliveries(outcomes: readonly NewTimelineEntry[]): ReadonlyMap<string, readonly NewTimelineEntry[]> {
  const byEmail = Map.groupBy(outcomes, ({ emailId }) => emailId);
  return new Map(
    [...byEmail].filter(
      ([, entries]) =>
        entries.every(({ kind }) => successes.has(kind)) &&
        new Set(entries.map(({ targetId }) => targetId)).size === entries.length,
    ),
  );
}

function idsOf(emails: readonly RecordedEmail[], choose: (email: RecordedEmail) => boolean): ReadonlySet<string> {
  return new Set(emails.filter(choose).map(({ emailId }) => emailId));
}

function asDayArrival(email: ReturnType<typeof emailOf>): DayArrival {
  return { ...email, received: Number(email.direction === "FORWARD"), delivered: Math.sign(email.deliveredCount) };
}

/** What is parsed has arrived when it can be read: see store-parsed. */
function arrivalOf(overQuota: ReadonlySet<string>) {
  return ({ message: mail, direction, occurredAt }: AcceptedEmail) => {
    const { emailId, ownerId, bindingId, isBrowsable, callbackUrl } = mail;
    const isParsed = (isBrowsable && !overQuota.has(emailId)) || callbackUrl !== "";
    if (direction !== "FORWARD" || isParsed) return [];
    const at = mail.receivedAt ? timestampDate(mail.receivedAt) : occurredAt;
    return [arrivedEvent({ ownerId, bindingId, emailId, at })];
  };
}

/**
 * One for each target, those that are yet to be verified included, one for the callback, and one for the report of what a rule refused
 * beside others.
 */
function expectedOutcomes(mail: MailAccepted): number {
  const { targets, unverifiedTargets, callbackUrl, rule } = mail;
  const others = [callbackUrl !== "", rule?.effects.includes("refused") === true];
  return targets.length + unverifiedTargets.length + others.filter(Boolean).length;
}

/** Its content is read, by its owner or by who is called back. */
export function needsParsing(mail: MailAccepted): boolean {
  return mail.isBrowsable || mail.callbackUrl !== "";
}

interface RecordedEmail {
  readonly emailId: string;
  readonly rawId: string;
  readonly hasEarlierOutcomes: boolean;
  readonly isOverQuota: boolean;
  readonly isReleased: boolean;
}

/**
 * The row may exist already: inserted for an outcome that arrived first (without an envelope, filled in here), or by the same
 * event delivered before (left alone). `xmax` is zero in a row that this statement inserted.
 * @param others of which outcomes are known, and nothing here: their rows are inserted without an envelope or locked, all in one order
 * @returns of each that was inserted or filled in, whether it was there before, whether it is not kept since the storage of its
 * account is full, and whether it was inserted with nobody left to read its raw bytes.
 */
async function insertEmails(
  tx: Transaction,
  emails: readonly ReturnType<typeof emailOf>[],
  others: readonly string[],
): Promise<RecordedEmail[]> {
  const { rows } = await tx.query<RecordedEmail>(
    // Materialized, or the set is parsed again for each of its uses. Of the others every column but the id is null.
    `with mail as materialized (
       select *, coalesce(is_browsable and (is_kept_only or not exists (select from storage where storage.owner_id = given.owner_id and is_full)), false) as is_kept,
              coalesce(delivered_count >= expected_outcomes, false) as is_processed
         from ${acceptedEmails.from("given", 2)} full join unnest($1::uuid[]) as other (id) using (id)),
     written as (
       insert into email (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
              authentication_results, size_bytes, raw_id, expected_outcomes, direction, dmarc, dkim, is_browsable, is_processed, is_released)
       select id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
              authentication_results, size_bytes, raw_id, expected_outcomes, coalesce(direction, 'FORWARD'), dmarc, dkim, is_kept, is_processed,
              is_processed and not is_kept and callback_url = ''
         from mail
        order by id
       on conflict (id) do update set
              owner_id = excluded.owner_id, binding_id = excluded.binding_id, received_at = excluded.received_at,
              sender = excluded.sender, recipient = excluded.recipient, proxy_address = excluded.proxy_address,
              callback_url = excluded.callback_url, received_from = excluded.received_from,
              authentication_results = excluded.authentication_results, size_bytes = excluded.size_bytes,
              raw_id = excluded.raw_id, expected_outcomes = excluded.expected_outcomes, direction = excluded.direction,
              dmarc = excluded.dmarc, dkim = excluded.dkim,
              is_browsable = excluded.is_browsable, is_processed = excluded.is_processed
        where excluded.raw_id is not null and email.raw_id is null and email.erased_at is null
       returning id, owner_id, binding_id, received_at, raw_id, size_bytes, is_browsable, is_released,
                 is_browsable or callback_url <> '' as needs_parsing, xmax <> 0 as has_earlier_outcomes),
     accepted as (select * from written where raw_id is not null),
     job as (
       insert into parse_job (email_id, raw_id, size_bytes, trace)
       select id, accepted.raw_id, accepted.size_bytes, mail.trace from accepted join mail using (id) where needs_parsing),
     entry as (
       insert into mail_entry (owner_id, email_id, binding_id, received_at, is_kept, delivered_count)
       select accepted.owner_id, id, accepted.binding_id, accepted.received_at, false, delivered_count
         from accepted join mail using (id) order by 1, 2 on conflict do nothing)
     select id as email_id, accepted.raw_id, has_earlier_outcomes, mail.is_browsable and not accepted.is_browsable as is_over_quota,
            is_released
       from accepted join mail using (id)`,
    [binaryArray("uuid", others), ...acceptedEmails.params(emails)],
    { name: "email_insert" },
  );
  return rows;
}

function emailOf(
  { message: mail, trace, direction }: AcceptedEmail,
  deliveries: ReadonlyMap<string, readonly NewTimelineEntry[]>,
) {
  return {
    id: mail.emailId,
    ownerId: mail.ownerId,
    bindingId: mail.bindingId,
    receivedAt: mail.receivedAt ? timestampDate(mail.receivedAt) : new Date(),
    sender: storableText(mail.envelopeSender, pathLimit),
    recipient: storableText(mail.recipient, pathLimit),
    proxyAddress: storableText(mail.proxyAddress, pathLimit),
    callbackUrl: storableText(mail.callbackUrl),
    receivedFrom: storableText(`${mail.clientName} [${mail.clientAddress}]`.trim(), pathLimit),
    authenticationResults: storableText(mail.authenticationResults, resultsLimit),
    sizeBytes: mail.sizeBytes,
    rawId: mail.rawId,
    expectedOutcomes: expectedOutcomes(mail),
    deliveredCount: deliveries.get(mail.emailId)?.length ?? 0,
    isBrowsable: mail.isBrowsable,
    // Ingress took it while there was room. It is nowhere else: kept even if the storage is full by now.
    isKeptOnly: mail.rule?.effects.includes("kept-only") === true,
    direction,
    dmarc: mail.authentication?.dmarcOfRules || null,
    dkim: mail.authentication?.dkim || null,
    trace,
  };
}

/**
 * The erasures of these emails' bindings and accounts begin again once the emails are there: one that is under way waits for them. Each is locked,
 * in one order, and before any email, as an erasure does.
 */
async function reopenErasures(tx: Transaction, mails: readonly MailAccepted[]): Promise<void> {
  await tx.query(
    `with scope as materialized (
       select erasure.owner_id, erasure.binding_id
         from ${scopes.from("mail")}
         join erasure on erasure.owner_id = mail.owner_id and (erasure.binding_id is null or erasure.binding_id = mail.binding_id)
        order by 1, 2 for no key update of erasure)
     update erasure set is_done = false, due_at = now(), attempt_count = 0 from scope
      where erasure.owner_id = scope.owner_id and erasure.binding_id is not distinct from scope.binding_id`,
    scopes.params(mails.map(({ ownerId, bindingId }) => ({ ownerId, bindingId }))),
    { name: "erasure_reopen" },
  );
}
