import type { Database, Transaction } from "../db/types.ts";
import type { Logger } from "../logger.ts";
import { PollingWork } from "../work.ts";

const hourMs = 3_600_000;
/** Far longer than a broker keeps events (see KAFKA_RETENTION_H), so that none can come back after it was forgotten. */
const memory = "14 days";
const pruneLimit = 5_000;

/**
 * Marks events as seen by a group and gives those that were not, in order and each once. Whoever marks the same event at
 * the same time waits here until this transaction ends; ids are taken in one order, so that two cannot wait for each other.
 */
export async function unseen<E extends { readonly id: string }>(
  tx: Transaction,
  group: string,
  events: readonly E[],
): Promise<E[]> {
  const { rows } = await tx.query<{ event_id: string }>(
    `insert into inbox (consumer_group, event_id)
     select $1, id from unnest($2::uuid[]) as id order by id
     on conflict do nothing returning event_id`,
    [group, events.map((event) => event.id)],
    { name: "inbox_insert" },
  );
  const fresh = new Set(rows.map((row) => row.event_id));
  return events.filter((event) => fresh.delete(event.id));
}

/** Forgets what was seen long ago, a bounded number of rows at a time. */
export function inboxPruning(db: Database, logger: Logger): PollingWork {
  return new PollingWork({
    name: "inbox-pruning",
    intervalMs: hourMs,
    logger,
    async run() {
      const { rowCount } = await db.query(
        `delete from inbox where ctid = any (array(
           select ctid from inbox where seen_at < now() - $1::interval limit $2))`,
        [memory, pruneLimit],
      );
      return rowCount === pruneLimit;
    },
  });
}
