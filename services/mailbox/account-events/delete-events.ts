import type { Database, Transaction } from "../../platform/db/types.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** For so long, and so many of one account. */
const keptDays = 7;
const keptPerAccount = 20_000;
const batchSize = 5_000;

/**
 * The ids of an account's oldest events: those with a position come before those without. They are in an index each, so that a statement
 * that names neither would read the table.
 */
const oldestEvents = (ownerId: string, count: string) => `
  (select id from account_event where owner_id = ${ownerId} and position is not null order by position limit ${count})
  union all (select id from account_event where owner_id = ${ownerId} and position is null order by at, id limit ${count})
  limit ${count}`;

interface EventKey {
  id: string;
  ownerId: string;
}

/** Deletes events that are older than a week, and the oldest of accounts with too many. */
export function deleteAccountEventsTask(db: Database, logger: Logger): PollingTask {
  return new PollingTask({
    name: "account-events",
    intervalMs: 600_000,
    logger,
    run: async () => {
      const mayBeMore = [await deleteOldEvents(db), await deleteSurplus(db)];
      return mayBeMore.includes(true);
    },
  });
}

/** A bounded number; true if there may be more. Exported for tests. */
export async function deleteOldEvents(db: Database): Promise<boolean> {
  const { rows } = await db.query<EventKey>(
    "select id, owner_id from account_event where at < now() - make_interval(days => $1) order by at limit $2",
    [keptDays, batchSize],
  );
  await deleteEvents(db, rows);
  return rows.length === batchSize;
}

/** The same of the events beyond the newest of each account. Exported for tests. */
export async function deleteSurplus(db: Database): Promise<boolean> {
  const { rows } = await db.query<EventKey>(
    `select id, owner_id
       from (select owner_id, count(*) - $1 as surplus
               from (select owner_id from account_event where position is not null
                     union all select owner_id from account_event where position is null) as event
              group by owner_id having count(*) > $1) as account
      cross join lateral (${oldestEvents("account.owner_id", "account.surplus")}) as surplus
      limit $2`,
    [keptPerAccount, batchSize],
    { name: "account_event_surplus" },
  );
  await deleteEvents(db, rows);
  return rows.length === batchSize;
}

/**
 * Readers are told that events are gone which they have not read: those without a position are counted as one. Readers are locked
 * before events, as readEvents does.
 */
async function deleteEvents(db: Database, events: readonly EventKey[]): Promise<void> {
  if (events.length === 0) return;
  await db.tx(
    async (tx) => {
      await tx.query("select from event_reader where owner_id = any ($1::uuid[]) order by owner_id for update", [
        [...new Set(events.map(({ ownerId }) => ownerId))],
      ]);
      await tx.query(
        `with gone as (delete from account_event where id = any ($1::uuid[]) returning owner_id, position),
              deleted as (select owner_id, max(position) as position, bool_or(position is null) as has_new from gone group by owner_id)
         update event_reader set last_position = last_position + has_new::int,
                deleted_position = greatest(deleted_position, deleted.position, case when has_new then last_position + 1 end)
           from deleted where event_reader.owner_id = deleted.owner_id`,
        [events.map(({ id }) => id)],
      );
    },
    { attempts: 3 },
  );
}

/** The account is closed. Deletes a bounded number; true if there may be more. */
export async function forgetAccountEvents(tx: Transaction, ownerId: string): Promise<boolean> {
  await tx.query("delete from event_reader where owner_id = $1", [ownerId]);
  await tx.query("delete from event_push where owner_id = $1", [ownerId]);
  const { rowCount } = await tx.query(`delete from account_event where id = any (array(${oldestEvents("$1", "$2")}))`, [
    ownerId,
    batchSize,
  ]);
  return rowCount === batchSize;
}
