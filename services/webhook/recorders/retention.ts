import type { Database } from "../../platform/db/types.ts";
import { prune } from "../../platform/jobs/prune.ts";

const keepCallsDays = 30;
/** Calls may have 10 MiB each: fewer at a time. */
const limit = 500;

/** Removes a bounded number of calls that were recorded long enough ago. True when more may be left. */
export async function pruneCalls(db: Database): Promise<boolean> {
  const where = "at < now() - make_interval(days => $1)";
  const { mayBeMore } = await prune(db, { table: "recorded_call", key: "ctid", where, orderBy: "at", limit }, [
    keepCallsDays,
  ]);
  return mayBeMore;
}
