import type { Database } from "../../platform/db/types.ts";
import { firstIdAt } from "../../platform/ids.ts";

const dayMs = 86_400_000;
/** Interface decisions, "Recorder". */
const keepCallsDays = 30;

const roundSize = 5_000;
/** Calls may have 10 MiB each: fewer at a time. */
const callRoundSize = 500;

/**
 * Removes a bounded number of callbacks that were settled long enough ago. Emails' ids are in order of time, so that
 * the oldest lie together and no index is needed for it. True when more may be left.
 */
export async function pruneCallbacks(db: Database, keepDays: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from callback where email_id = any (array(
       select email_id from callback where email_id < $1 and settled_at < now() - $2 * interval '1 day'
       order by email_id limit $3))`,
    [firstIdAt(new Date(Date.now() - keepDays * dayMs)), keepDays, roundSize],
  );
  return rowCount === roundSize;
}

/** Removes a bounded number of calls that were recorded long enough ago. True when more may be left. */
export async function pruneCalls(db: Database): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from recorded_call where ctid = any (array(
       select ctid from recorded_call where at < now() - $1 * interval '1 day' order by at limit $2))`,
    [keepCallsDays, callRoundSize],
  );
  return rowCount === callRoundSize;
}
