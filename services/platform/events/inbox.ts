import { binaryArray } from "../db/binary-values.ts";
import type { Database, Transaction } from "../db/types.ts";
import { hourMs } from "../durations.ts";
import { firstIdAt } from "../ids.ts";
import { PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";

/** Far longer than a broker keeps events (see KAFKA_RETENTION_H), so that none can come back after it was forgotten. */
const memoryMs = 14 * 24 * hourMs;
const pruneLimit = 5_000;

/**
 * Marks events as seen by a group and gives those that were not, in order and each once. A transaction that marks the same event at
 * the same time waits here until this transaction ends; ids are taken in one order, so that two cannot wait for each other.
 */
export async function markSeen<E extends { readonly id: string }>(
  tx: Transaction,
  group: string,
  events: readonly E[],
): Promise<E[]> {
  const { rows } = await tx.query<{ eventId: string }>(
    `insert into inbox (consumer_group, event_id)
     select $1, id from unnest($2::uuid[]) as id order by id
     on conflict do nothing returning event_id`,
    [
      group,
      binaryArray(
        "uuid",
        events.map((event) => event.id),
      ),
    ],
    { name: "inbox_insert" },
  );
  const fresh = new Set(rows.map((row) => row.eventId));
  return events.filter((event) => fresh.delete(event.id));
}

/** Forgets what was seen long ago. */
export function inboxPruneTask(db: Database, logger: Logger): PollingTask {
  return new PollingTask({ name: "inbox-pruning", intervalMs: hourMs, logger, run: () => pruneInbox(db) });
}

/**
 * Forgets a bounded number of events, of each group that there is or was. Events' ids are in order of time, so that the
 * oldest of a group are the first of the primary key. True when more may be left.
 * Exported for tests.
 */
export async function pruneInbox(db: Database): Promise<boolean> {
  const boundary = new Date(Date.now() - memoryMs);
  const { rowCount } = await db.query(pruneStatement, [firstIdAt(boundary), boundary, pruneLimit]);
  return rowCount >= pruneLimit;
}

/** What came long after it was said, such as a dead event that was sent again, is known by when it was seen. Exported for tests. */
export const pruneStatement = `
  with recursive known as (
    select min(consumer_group) as name from inbox
    union all select (select min(consumer_group) from inbox where consumer_group > name) from known where name is not null)
  delete from inbox where ctid = any (array(
    select old.place from known cross join lateral (
      select ctid as place from inbox where consumer_group = name and event_id < $1 and seen_at < $2
       order by event_id limit $3) as old))`;
