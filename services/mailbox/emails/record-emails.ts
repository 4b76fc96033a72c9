import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { storableText } from "../../platform/storable-text.ts";
import { addEarlierOutcomes, addEvents } from "../events/add-events.ts";
import { addToDays } from "../lists/mail-counts.ts";
import { arrivalEntries, overQuotaEntry, pathLimit } from "./arrival-entries.ts";
import { countOutcomes } from "./outcome-counts.ts";
import { publishReleased, releaseRawMessages } from "./release-raw-messages.ts";
import { addTimelineEntries, type NewTimelineEntry } from "./timeline.ts";

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

/** Of an email, each of another target: deliveries that succeeded before it was recorded. */
export type FirstDeliveries = ReadonlyMap<string, readonly NewTimelineEntry[]>;

/**
 * Inserts emails with what is known of them from the beginning, and a parse job for those that are browsable or have a callback.
 * @param wake called once there may be parse jobs
 * @param deliveries written with the emails, but for those that were there before
 * @returns the ids of the emails that were inserted
 */
export async function recordEmails(
  tx: Transaction,
  events: readonly AcceptedEmail[],
  wake: () => void,
  deliveries: FirstDeliveries = new Map(),
): Promise<ReadonlySet<string>> {
  const accepted = [...new Map(events.map((event) => [event.message.emailId, event])).values()];
  const mails = accepted.map((event) => event.message);
  const [recorded] = await Promise.all([insertEmails(tx, accepted, deliveries), reopenErasures(tx, mails)]);
  const earlier = recorded.filter(({ hasEarlierOutcomes }) => hasEarlierOutcomes).map(({ id }) => id);
  const inserted = new Set(recorded.filter(({ hasEarlierOutcomes }) => !hasEarlierOutcomes).map(({ id }) => id));
  const overQuota = new Set(recorded.filter(({ isOverQuota }) => isOverQuota).map(({ id }) => id));
  const delivered = mails
    .filter(({ emailId }) => inserted.has(emailId))
    .map((mail) => ({ mail, entries: deliveries.get(mail.emailId) ?? [] }));
  await addTimelineEntries(tx, [
    ...[...overQuota].map(overQuotaEntry),
    ...mails.flatMap(arrivalEntries),
    ...delivered.flatMap(({ entries }) => entries),
  ]);
  const held = mails.filter(({ unverifiedTargets }) => unverifiedTargets.length > 0).map(({ emailId }) => emailId);
  await countOutcomes(tx, [...new Set([...earlier, ...held])]);
  await publishReleased(
    tx,
    recorded.filter(({ isReleased }) => isReleased),
  );
  await releaseRawMessages(tx, earlier);
  await addEarlierOutcomes(tx, earlier);
  const isNew = new Set(recorded.map(({ id }) => id));
  await addEvents(tx, [
    ...accepted.filter(({ message }) => isNew.has(message.emailId)).flatMap(arrivalOf(overQuota)),
    ...delivered.flatMap(({ mail, entries }) => entries.map((entry) => deliveryOf(mail, entry))),
  ]);
  if (mails.some(needsParsing)) tx.afterCommit(wake);
  return inserted;
}

function deliveryOf({ ownerId, bindingId, emailId }: MailAccepted, { kind, at }: NewTimelineEntry) {
  return { ownerId, kind: "delivery.settled" as const, at, bindingId, emailId, data: { outcome: kind } };
}

/** What is parsed has arrived when it can be read: see store-parsed. */
function arrivalOf(overQuota: ReadonlySet<string>) {
  return ({ message: mail, direction, occurredAt }: AcceptedEmail) => {
    const { emailId, ownerId, bindingId, isBrowsable, callbackUrl } = mail;
    const isParsed = (isBrowsable && !overQuota.has(emailId)) || callbackUrl !== "";
    if (direction !== "FORWARD" || isParsed) return [];
    const at = mail.receivedAt ? timestampDate(mail.receivedAt) : occurredAt;
    return [{ ownerId, kind: "email.arrived" as const, at, bindingId, emailId }];
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
  readonly id: string;
  readonly emailId: string;
  readonly rawId: string;
  readonly hasEarlierOutcomes: boolean;
  readonly isOverQuota: boolean;
  readonly isReleased: boolean;
}

/**
 * The row may exist already: inserted for an outcome that arrived first (without an envelope, filled in here), or by the same
 * event delivered before (left alone). `xmax` is zero in a row that this statement inserted.
 * @returns of each that was inserted or filled in, whether it was there before, whether it is not kept since the storage of its
 * account is full, and whether it was inserted with nobody left to read its raw bytes.
 */
async function insertEmails(
  tx: Transaction,
  events: readonly AcceptedEmail[],
  deliveries: FirstDeliveries,
): Promise<RecordedEmail[]> {
  const { rows } = await tx.query<RecordedEmail>(
    // Materialized, or the set is parsed again for each of its uses.
    `with mail as materialized (
       select given.*, is_browsable and (is_kept_only or not exists (select from storage where storage.owner_id = given.owner_id and is_full)) as is_kept,
              delivered_count >= expected_outcomes as is_processed
         from ${acceptedEmails.from("given")}),
     accepted as (
       insert into email (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
              authentication_results, size_bytes, raw_id, expected_outcomes, direction, dmarc, dkim, is_browsable, is_processed, is_released)
       select id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
              authentication_results, size_bytes, raw_id, expected_outcomes, direction, dmarc, dkim, is_kept, is_processed,
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
        where email.raw_id is null and email.erased_at is null
       returning id, owner_id, binding_id, received_at, raw_id, size_bytes, direction, is_browsable, is_released,
                 is_browsable or callback_url <> '' as needs_parsing, xmax <> 0 as has_earlier_outcomes),
     job as (
       insert into parse_job (email_id, raw_id, size_bytes, trace)
       select id, accepted.raw_id, accepted.size_bytes, mail.trace from accepted join mail using (id) where needs_parsing),
     -- Of those that were there before, all outcomes are counted again.
     change as (
       select accepted.owner_id, accepted.binding_id, accepted.received_at, (accepted.direction = 'FORWARD')::integer as received,
              sign(delivered_count) as delivered, 0 as failed, 0 as unread
         from accepted join mail using (id)),
     entry as (
       insert into mail_entry (owner_id, email_id, binding_id, received_at, is_kept, delivered_count)
       select accepted.owner_id, id, accepted.binding_id, accepted.received_at, false, delivered_count
         from accepted join mail using (id) order by 1, 2 on conflict do nothing),
     days as (${addToDays})
     select id, id as email_id, accepted.raw_id, has_earlier_outcomes, mail.is_browsable and not accepted.is_browsable as is_over_quota,
            is_released
       from accepted join mail using (id)`,
    acceptedEmails.params(
      events.map((event) => ({
        ...emailOf(event),
        deliveredCount: deliveries.get(event.message.emailId)?.length ?? 0,
      })),
    ),
    { name: "email_insert" },
  );
  return rows;
}

function emailOf({ message: mail, trace, direction }: AcceptedEmail) {
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
    isBrowsable: mail.isBrowsable,
    // Ingress took it while there was room. It is nowhere else: kept even if the storage is full by now.
    isKeptOnly: mail.rule?.effects.includes("kept-only") === true,
    direction,
    dmarc: mail.authentication?.dmarcOfRules || null,
    dkim: mail.authentication?.dkim || null,
    trace,
  };
}

/** Mail for a binding or account that was erased meanwhile is erased as well. */
async function reopenErasures(tx: Transaction, mails: readonly MailAccepted[]): Promise<void> {
  await tx.query(
    `update erasure set is_done = false, due_at = now() from ${scopes.from("mail")}
      where erasure.owner_id = mail.owner_id and (erasure.binding_id is null or erasure.binding_id = mail.binding_id) and is_done`,
    scopes.params(mails.map(({ ownerId, bindingId }) => ({ ownerId, bindingId }))),
    { name: "erasure_reopen" },
  );
}
