import type { Queryable } from "../db/types.ts";

/** A table of jobs and its key, a UUID. */
interface Jobs {
  readonly table: string;
  readonly key: string;
}

interface RetryTarget {
  /** Which jobs, with the parameters $1, $2 … */
  where: string;
  /** Jobs that have ended like this wait again; of the others only those that wait are made due. */
  endedIn?: readonly string[];
  /** Further assignments, with the same parameters. */
  set?: string;
}

const batchLimit = 1_000;
/** What has ended after so many is not tried again by hand: each attempt is kept in the job's row. */
const attemptLimit = 50;

/** Whether a job that has ended may be tried again, in SQL. */
export const mayBeRetried = `jsonb_array_length(attempts) < ${attemptLimit}`;

/**
 * Makes jobs due at once, by hand or because what they waited for has changed: a bounded number at a time, in the order of their keys, so
 * that two of these cannot deadlock. @returns how many
 */
export async function retryNow(
  db: Queryable,
  { table, key }: Jobs,
  { where, endedIn = [], set }: RetryTarget,
  params: readonly unknown[],
): Promise<number> {
  const ended = endedIn.map((state) => `'${state}'`).join(", ");
  const isRetried = ended && `or state in (${ended}) and ${mayBeRetried}`;
  const after = `$${params.length + 1}::uuid`;
  const statement = `with job as materialized (
      select ${key} as job_id from ${table}
       where (state = 'waiting' ${isRetried}) and ${where} and (${after} is null or ${key} > ${after})
       order by ${key} limit ${batchLimit} for no key update)
    update ${table} set state = 'waiting', due_at = now(), settled_at = null${set === undefined ? "" : `, ${set}`}
      from job where ${key} = job_id returning job_id`;
  let count = 0;
  let last: string | undefined;
  for (;;) {
    const { rows } = await db.query<{ jobId: string }>(statement, [...params, last ?? null]);
    count += rows.length;
    if (rows.length < batchLimit) return count;
    last = rows
      .map(({ jobId }) => jobId)
      .toSorted()
      .at(-1);
  }
}
