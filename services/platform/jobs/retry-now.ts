import type { Queryable } from "../db/types.ts";

interface RetryTarget {
  /** Which jobs, with the parameters $1, $2 … */
  where: string;
  /** Jobs that have ended like this wait again; of the others only those that wait are made due. */
  endedIn?: readonly string[];
}

/** Makes jobs due at once, by hand or because what they waited for has changed. @returns how many */
export async function retryNow(
  db: Queryable,
  table: string,
  { where, endedIn = [] }: RetryTarget,
  params: readonly unknown[],
): Promise<number> {
  const states = ["waiting", ...endedIn].map((state) => `'${state}'`).join(", ");
  const { rowCount } = await db.query(
    `update ${table} set state = 'waiting', due_at = now(), settled_at = null where state in (${states}) and ${where}`,
    params,
  );
  return rowCount;
}
