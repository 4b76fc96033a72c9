import type { Database, Transaction } from "../../platform/db/types.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** For so long, and so many of one account. */
const keptDays = 7;
const keptPerAccount = 20_000;
const batchSize = 5_000;

/** Readers are told that events are gone which they have not read: those without a position are counted as one. */
const deleteThese = (which: string) => `
  with gone as (delete from account_event where id = any (array(${which})) returning owner_id, position),
       deleted as (select owner_id, max(position) as position, bool_or(position is null) as has_new from gone group by owner_id),
       told as (
         update event_reader set last_position = last_position + has_new::int,
                deleted_position = greatest(deleted_position, deleted.position, case when has_new then last_position + 1 end)
           from deleted where event_reader.owner_id = deleted.owner_id)
  select count(*) as count from gone`;

const oldOnes = deleteThese(
  "select id from account_event where at < now() - make_interval(days => $1) order by at limit $2",
);
const tooMany = deleteThese(
  "select id from account_event where owner_id = $1 order by at desc, id desc offset $2 limit $3",
);

/** Deletes events that are older than a week, and the oldest of accounts with too many. */
export function deleteEventsTask(db: Database, logger: Logger): PollingTask {
  return new PollingTask({
    name: "account-events",
    intervalMs: 600_000,
    logger,
    run: () => deleteOldEvents(db),
  });
}

/** A bounded number; true if there may be more. */
export async function deleteOldEvents(db: Database): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>(oldOnes, [keptDays, batchSize]);
  const { rows: crowded } = await db.query<{ ownerId: string }>(
    "select owner_id from account_event group by owner_id having count(*) > $1 limit 100",
    [keptPerAccount],
  );
  for (const { ownerId } of crowded) await db.query(tooMany, [ownerId, keptPerAccount, batchSize]);
  return rows[0]?.count === batchSize || crowded.length > 0;
}

/** The account is closed. */
export async function forgetEvents(tx: Transaction, ownerId: string): Promise<void> {
  await tx.query("delete from account_event where owner_id = $1", [ownerId]);
  await tx.query("delete from event_reader where owner_id = $1", [ownerId]);
}
