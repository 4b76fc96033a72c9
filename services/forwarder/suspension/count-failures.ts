import { NIL } from "uuid";
import type { Transaction } from "../../platform/db/types.ts";

const windowDays = 7;
const maxFailures = 5;

/**
 * Counts permanent failures against real addresses. After five within a week, over more than one binding or author, nothing
 * is forwarded there any more: one binding or one sender alone cannot bring that about. The operator's own address, which
 * belongs to no account, is never suspended.
 */
export async function countFailures(tx: Transaction, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  await tx.query(
    `insert into address_failure (delivery_id, owner_id, address_key, binding_id, author)
     select id, owner_id, lower(address), binding_id, sha256(convert_to(lower(envelope_sender), 'UTF8'))
       from delivery where id = any ($1::uuid[]) and email_id is not null and owner_id <> $2::uuid
     on conflict do nothing`,
    [deliveryIds, NIL],
    { name: "address_failure_insert" },
  );
  // Two batches that failed at the same time would each count without the other's, and neither would come to five.
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('failures of ' || owner_id || ' ' || address_key, 0))
       from (select distinct owner_id, address_key from address_failure where delivery_id = any ($1::uuid[]) order by 1, 2) as failed`,
    [deliveryIds],
    { name: "address_failure_lock" },
  );
  await tx.query(
    `insert into suspension (owner_id, address_key, address)
     select failure.owner_id, failure.address_key, min(delivery.address)
       from delivery join address_failure as failure on failure.owner_id = delivery.owner_id and failure.address_key = lower(delivery.address)
      where delivery.id = any ($1::uuid[]) and failed_at > now() - make_interval(days => $2)
      group by failure.owner_id, failure.address_key
     having count(distinct failure.delivery_id) >= $3
        and (count(distinct failure.binding_id) > 1 or count(distinct failure.author) > 1)
     on conflict do nothing`,
    [deliveryIds, windowDays, maxFailures],
    { name: "suspension_insert" },
  );
}

/** Removes failures outside of the window, and reports so old that their email cannot fail again. */
export async function pruneFailures(tx: Transaction, reportDays: number): Promise<void> {
  await tx.query("delete from address_failure where failed_at < now() - make_interval(days => $1)", [windowDays]);
  await tx.query("delete from author_report where reported_at < now() - make_interval(days => $1)", [reportDays]);
}
