import type { Database } from "../db/types.ts";

/** A queue whose rows are claimed by postponing their `due_at`: a row that is not finished by then is due again. */
interface DueQueue {
  table: string;
  /** What is returned of a claimed row. */
  columns: string;
  /** Besides being due, as a condition on a row. */
  where?: string;
  /** Set as well when a row is claimed, such as a count of attempts. */
  set?: string;
  /** Prepares the statement under this name. */
  name?: string;
}

/**
 * Claims the rows that have been due longest; no other caller gets them within `leaseS` seconds.
 * Use it, rather than `JobWorker`, for short work inside the process that can be repeated: a claim only postpones the row by
 * its `due_at`. There is no lease to renew and no worker liveness: the rows of a dead process wait until they are due again.
 */
export async function claimDue<Row extends object>(
  db: Database,
  { table, columns, where = "true", set, name }: DueQueue,
  { limit, leaseS }: { limit: number; leaseS: number },
) {
  const { rows } = await db.query<Row>(
    `update ${table} set due_at = now() + make_interval(secs => $2)${set ? `, ${set}` : ""}
      where ctid = any (array(
        select ctid from ${table} where ${where} and due_at <= now() order by due_at limit $1 for update skip locked))
     returning ${columns}`,
    [limit, leaseS],
    name === undefined ? {} : { name },
  );
  return rows;
}
