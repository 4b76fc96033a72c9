import { create } from "@bufbuild/protobuf";
import { MailReleasedSchema } from "../../../proto/gen/postern/mailbox/v1/mail_released_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox.ts";
import { addToDays } from "../lists/day-counts.ts";

/**
 * Locks emails until the transaction ends. Taken before any change of an email's progress, so that of two concurrent
 * transactions with the last two outcomes the second sees the first.
 */
export async function lockEmails(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query("select from email where id = any ($1::uuid[]) order by id for no key update", [ids], {
    name: "email_lock",
  });
}

/** What the last entry of a target means for it. */
const meanings = {
  delivered: "'forwarded', 'sent', 'called_back'",
  failed: "'given_up', 'bounced', 'callback_given_up'",
  retrying: "'deferred', 'callback_deferred'",
  held: "'held'",
};

/** A target's entries, the last first: the one of the last attempt, of those its end, of two ends the later. */
const lastFirst = "order by attempt_count desc, is_end desc, at desc";

/**
 * Counts the targets of emails by what was last heard of each, marks as processed those whose outcomes have all arrived, and keeps the
 * counts of their days. The caller holds their locks.
 */
export async function countOutcomes(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `with target as (
       select email_id, bool_or(is_end) as has_ended, (array_agg(kind ${lastFirst}))[1] as kind,
              (array_agg(next_attempt_at ${lastFirst}))[1] as next_attempt_at
         from timeline where email_id = any ($1::uuid[]) and target_id is not null group by email_id, target_id),
     counts as (
       select email_id, count(*) filter (where has_ended) as ended, ${countsByMeaning()},
              min(next_attempt_at) filter (where kind in (${meanings.retrying})) as next_attempt_at
         from target group by email_id),
     processed as (
       update email set is_processed = true, updated_at = now() from counts
        where id = counts.email_id and not is_processed and expected_outcomes <= counts.ended),
     before as materialized (
       select entry.* from email join mail_entry as entry on entry.owner_id = email.owner_id and entry.email_id = email.id
        where email.id = any ($1::uuid[]) order by entry.owner_id, entry.email_id for no key update of entry),
     counted as (
       update mail_entry as entry set delivered_count = counts.delivered, failed_count = counts.failed, retrying_count = counts.retrying,
              held_count = counts.held, next_attempt_at = counts.next_attempt_at
         from counts join before using (email_id)
        where entry.owner_id = before.owner_id and entry.email_id = before.email_id
       returning entry.owner_id, entry.binding_id, entry.received_at,
                 sign(entry.delivered_count) - sign(before.delivered_count) as delivered,
                 sign(entry.failed_count) - sign(before.failed_count) as failed),
     change as (select *, 0 as received, 0 as unread from counted)
     ${addToDays}`,
    [ids],
    { name: "email_count_outcomes" },
  );
}

function countsByMeaning(): string {
  return Object.entries(meanings)
    .map(([meaning, kinds]) => `count(*) filter (where kind in (${kinds})) as ${meaning}`)
    .join(", ");
}

/**
 * Publishes mail.released for emails that are processed and parsed, unless they are browsable, and for erased ones. Contents
 * that were stored for a callback only are then due for retention (`served_at`: since when nothing reads them). The only place that decides this. The caller holds the locks.
 */
export async function releaseRawMessages(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.query<{ emailId: string; rawId: string }>(
    `with released as (
       update email set is_released = true
        where id = any ($1::uuid[]) and not is_released and raw_id is not null
          and (erased_at is not null or (is_processed and (not is_browsable or removed_at is not null)))
          and id <> all (array(select email_id from parse_job where email_id = any ($1::uuid[])))
       returning id, raw_id),
     callback_only as (update content set served_at = now() from released where email_id = released.id)
     select id as email_id, raw_id from released`,
    [ids],
    { name: "email_release" },
  );
  await publishReleased(tx, rows);
}

/** Tells ingress that these raw bytes are not needed any more. */
export async function publishReleased(
  tx: Transaction,
  emails: readonly { emailId: string; rawId: string }[],
): Promise<void> {
  await publish(
    tx,
    emails.map(({ emailId, rawId }) => event(topics.mailReleased, create(MailReleasedSchema, { emailId, rawId }))),
  );
}
