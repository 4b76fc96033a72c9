import type { Database } from "../db/types.ts";
import { unlockedRows } from "./unlocked-rows.ts";

/** A table whose rows are claimed by postponing their `due_at`: a row that is not finished by then is due again. */
export interface DueTable<Row> {
  /** It has the columns `due_at` and `attempt_count`. */
  name: string;
  /** A column, or an expression on a row, that gives a UUID. */
  key: { column: string; of(row: Row): string };
  /** What is returned of a claimed row, besides its attempts. */
  columns: string;
  /** Besides being due, as a condition on a row. */
  claimable?: string;
}

/** What every claimed row has. */
export interface DueRow {
  /** This attempt included: it is counted before it begins, so that a row that ends the process is noticed. */
  readonly attemptCount: number;
}

interface ClaimOptions {
  /** Rows at most. */
  limit: number;
  visibilityTimeoutS: number;
  /** The name that the statement is prepared by. */
  statement: string;
}

/** Claims the rows that have been due longest; no other caller gets them within `visibilityTimeoutS` seconds. */
export async function claimDue<Row extends DueRow>(
  db: Database,
  { name, columns, claimable = "true" }: DueTable<Row>,
  { limit, visibilityTimeoutS, statement }: ClaimOptions,
): Promise<Row[]> {
  const { rows } = await db.query(
    `update ${name} set due_at = now() + make_interval(secs => $2), attempt_count = attempt_count + 1
      where ctid = any (array(${unlockedRows({ columns: "ctid", table: name, where: `${claimable} and due_at <= now()`, orderBy: "due_at", limit: "$1" })}))
     returning ${columns}, attempt_count`,
    [limit, visibilityTimeoutS],
    { name: statement },
  );
  return rows as unknown as Row[];
}
