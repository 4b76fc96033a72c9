import type { Transaction } from "../../platform/db/types.ts";
import { addArrivals, addToDays, type DayArrival, dayArrivals } from "../lists/mail-counts.ts";
import { isUnneeded, publishReleased, retireContents } from "./release-raw-messages.ts";

/** What the last entry of a target means for it. */
const kindsByOutcome = {
  delivered: "'forwarded', 'sent', 'called_back'",
  failed: "'given_up', 'bounced', 'callback_given_up'",
  retrying: "'deferred', 'callback_deferred'",
  held: "'held'",
};

/** A target's entries, the last first: the one of the last attempt, of those its end, of two ends the later. */
const lastFirst = "order by attempt_count desc, is_end desc, at desc";

/**
 * Counts the targets of emails by what was last heard of each, keeps the counts of their days, and marks as processed those whose outcomes
 * have all arrived: raw bytes of theirs that nobody reads any more are released, but for erased ones, which were released then. The caller
 * holds their locks.
 * @param arrivals emails that are added to their days besides: a transaction locks days once, in their order, or two might wait for each other
 */
export async function countOutcomes(
  tx: Transaction,
  ids: readonly string[],
  arrivals: readonly DayArrival[] = [],
): Promise<void> {
  if (ids.length === 0) return addArrivals(tx, arrivals);
  const { rows } = await tx.query<{ emailId: string; rawId: string }>(
    `with target as (
       select email_id, bool_or(is_end) as has_ended, (array_agg(kind ${lastFirst}))[1] as kind,
              (array_agg(next_attempt_at ${lastFirst}))[1] as next_attempt_at,
              (array_agg(coalesce(failure_reason, 'other') ${lastFirst}))[1] as failure_reason
         from timeline where email_id = any ($1::uuid[]) and target_id is not null group by email_id, target_id),
     counts as (
       select email_id, count(*) filter (where has_ended) as ended, ${countsByOutcome()},
              min(next_attempt_at) filter (where kind in (${kindsByOutcome.retrying})) as next_attempt_at,
              coalesce(array_agg(distinct failure_reason) filter (where kind in (${kindsByOutcome.failed}, ${kindsByOutcome.retrying})), '{}')
                as failure_reasons
         from target group by email_id),
     processed as (
       update email set is_processed = true, updated_at = now(), is_released = is_released or (${isUnneeded}) from counts
        where id = counts.email_id and not is_processed and expected_outcomes <= counts.ended
       returning id, raw_id, is_released, erased_at),
     released as (select id, raw_id from processed where is_released and erased_at is null),
     ${retireContents},
     before as materialized (
       select entry.* from email join mail_entry as entry on entry.owner_id = email.owner_id and entry.email_id = email.id
        where email.id = any ($1::uuid[]) order by entry.owner_id, entry.email_id for no key update of entry),
     counted as (
       update mail_entry as entry set delivered_count = counts.delivered, failed_count = counts.failed, retrying_count = counts.retrying,
              held_count = counts.held, next_attempt_at = counts.next_attempt_at, failure_reasons = counts.failure_reasons
         from counts join before using (email_id)
        where entry.owner_id = before.owner_id and entry.email_id = before.email_id
       returning entry.owner_id, entry.binding_id, entry.received_at,
                 sign(entry.delivered_count) - sign(before.delivered_count) as delivered,
                 sign(entry.failed_count) - sign(before.failed_count) as failed),
     change as (
       select owner_id, binding_id, received_at, 0 as received, delivered, failed, 0 as unread from counted
       union all select owner_id, binding_id, received_at, received, delivered, 0, 0 from ${dayArrivals.from("arrival", 2)}),
     days as (${addToDays})
     select id as email_id, raw_id from released`,
    [ids, ...dayArrivals.params(arrivals)],
    { name: "email_count_outcomes" },
  );
  await publishReleased(tx, rows);
}

function countsByOutcome(): string {
  return Object.entries(kindsByOutcome)
    .map(([outcome, kinds]) => `count(*) filter (where kind in (${kinds})) as ${outcome}`)
    .join(", ");
}
