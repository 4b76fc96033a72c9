import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";

/** What stands for all bindings of an account in mail_day. */
export const wholeAccount = "00000000-0000-0000-0000-000000000000";

/**
 * The end of a statement: adds `change` (owner_id, binding_id, received_at, received, delivered, failed, unread), a row for each email, to
 * the days of its binding and of its account. In the order of the keys, so that no two transactions wait for each other.
 */
export const addToDays = `insert into mail_day as day (owner_id, binding_id, day, received, delivered, failed, unread, last_at)
  select owner_id, scope.binding_id, (received_at at time zone 'UTC')::date, sum(received), sum(delivered), sum(failed), sum(unread),
         max(received_at)
    from change, lateral (values (change.binding_id), ('${wholeAccount}'::uuid)) as scope (binding_id)
   where received <> 0 or delivered <> 0 or failed <> 0 or unread <> 0
   group by 1, 2, 3 order by 1, 2, 3
  on conflict (owner_id, binding_id, day) do update set
         received = day.received + excluded.received, delivered = day.delivered + excluded.delivered,
         failed = greatest(0, day.failed + excluded.failed), unread = greatest(0, day.unread + excluded.unread),
         last_at = greatest(day.last_at, excluded.last_at)`;

/** An email that is new in its day. */
export interface DayArrival {
  readonly ownerId: string;
  readonly bindingId: string;
  readonly receivedAt: Date;
  /** 1, or 0 of what its owner writes. */
  readonly received: number;
  /** 1 where a delivery has succeeded already, or 0. */
  readonly delivered: number;
}

export const dayArrivals = recordSet({
  ownerId: "uuid",
  bindingId: "uuid",
  receivedAt: "timestamptz",
  received: "integer",
  delivered: "integer",
});

/** Adds emails to the days of their bindings and accounts. */
export async function addArrivals(tx: Transaction, arrivals: readonly DayArrival[]): Promise<void> {
  if (arrivals.length === 0) return;
  await tx.query(
    `with change as (select *, 0 as failed, 0 as unread from ${dayArrivals.from("arrival")}) ${addToDays}`,
    dayArrivals.params(arrivals),
    { name: "mail_day_add" },
  );
}

/** Of what is kept for RETENTION_DAYS. */
export interface MailCounts {
  readonly received: number;
  readonly failed: number;
  readonly unread: number;
  readonly lastMailAt: Date | null;
}

export interface MailDay {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly received: number;
  readonly delivered: number;
  readonly failed: number;
}

export const noMail: MailCounts = { received: 0, failed: 0, unread: 0, lastMailAt: null };

/** The counts of bindings, or of an account under `wholeAccount`, by id; one without mail is absent. */
export async function mailCounts(
  db: Database,
  ownerId: string,
  bindingIds: readonly string[],
): Promise<Map<string, MailCounts>> {
  const { rows } = await db.query<MailCounts & { bindingId: string }>(
    `select binding_id, greatest(0, sum(received)) as received, greatest(0, sum(failed)) as failed, greatest(0, sum(unread)) as unread,
            max(last_at) as last_mail_at
       from mail_day where owner_id = $1 and binding_id = any ($2::uuid[]) group by binding_id`,
    [ownerId, bindingIds.filter(isId)],
    { name: "mail_counts" },
  );
  return new Map(rows.map(({ bindingId, ...counts }) => [bindingId, counts]));
}

/** The days with mail of each of these, oldest first, from `since` (YYYY-MM-DD) on. */
export async function mailDays(
  db: Database,
  ownerId: string,
  bindingIds: readonly string[],
  since: string,
): Promise<Map<string, MailDay[]>> {
  const { rows } = await db.query<MailDay & { bindingId: string }>(
    `select binding_id, day, received, delivered, failed from mail_day
      where owner_id = $1 and binding_id = any ($2::uuid[]) and day >= $3::date order by binding_id, day`,
    [ownerId, bindingIds.filter(isId), since],
    { name: "mail_days" },
  );
  const byBinding = Map.groupBy(rows, ({ bindingId }) => bindingId);
  return new Map([...byBinding].map(([id, days]) => [id, days.map(({ bindingId: _, ...day }) => day)]));
}
