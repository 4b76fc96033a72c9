import type { Queryable } from "../db/types.ts";
import { dayMs } from "../durations.ts";
import { firstIdAt } from "../ids.ts";
import { unlockedRows } from "./unlocked-rows.ts";

interface Pruning {
  table: string;
  /** What tells rows apart; `ctid` where an order is given. */
  key: string;
  /** With the parameters $1, $2 … */
  where: string;
  /** The first go first. Default: by the key. */
  orderBy?: string;
  limit: number;
  /** Columns of the deleted rows. */
  returning?: string;
}

interface Pruned<Row> {
  rows: Row[];
  /** The limit was reached, so that more rows may be left. */
  mayBeMore: boolean;
}

/** Deletes a bounded number of rows whose time is over; those that another transaction holds are left for the next round. */
export async function prune<Row extends object>(
  db: Queryable,
  { table, key, where, orderBy = key, limit, returning }: Pruning,
  params: readonly unknown[],
): Promise<Pruned<Row>> {
  const { rows, rowCount } = await db.query(
    `delete from ${table} where ${key} = any (array(${unlockedRows({ columns: key, table, where, orderBy, limit })}))${
      returning === undefined ? "" : ` returning ${returning}`
    }`,
    params,
  );
  return { rows: rows as unknown as Row[], mayBeMore: rowCount === limit };
}

/** Rows that one statement deletes, where rows are small. */
export const pruneLimit = 5_000;

/**
 * Removes jobs that ended long enough ago. Their keys are in order of time (RFC 9562 section 5.7), so the oldest lie together and
 * no index is needed for it. True when more may be left.
 */
export async function pruneSettled(
  db: Queryable,
  { name, key }: { name: string; key: string },
  keepDays: number,
): Promise<boolean> {
  const { mayBeMore } = await prune(
    db,
    {
      table: name,
      key,
      where: `${key} < $1 and settled_at < now() - make_interval(days => $2)`,
      limit: pruneLimit,
    },
    [firstIdAt(new Date(Date.now() - keepDays * dayMs)), keepDays],
  );
  return mayBeMore;
}
