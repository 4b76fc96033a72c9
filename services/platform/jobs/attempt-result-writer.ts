import { type Columns, type RecordOf, recordSet } from "../db/record-set.ts";
import type { Transaction } from "../db/types.ts";

/** How an attempt at a job ended, or a claim without an attempt. */
export interface AttemptResult<EndState extends string, Attempt> {
  readonly jobId: string;
  readonly workerId: string;
  /** `waiting`: to be tried again. */
  readonly state: "waiting" | EndState;
  /** Null when there was none: another service was unreachable, or nothing is left to do. */
  readonly attempt: Attempt | null;
  /** Seconds until the next one, while waiting. */
  readonly retryAfterS: number;
}

interface ResultWriterOptions<C extends Columns> {
  table: string;
  /** Its key's column. */
  key: string;
  /** What a result has besides, for `set` and `returning`, where it is `result`. */
  columns: C;
  /** Further assignments. */
  set?: string;
  /** What is kept of the attempts before, as an expression on `attempts`. Default: all of them. */
  formerAttempts?: string;
  returning: string;
}

/**
 * Records a batch of results in the rows of their jobs, and ends their leases. A final result is recorded even if the lease was lost;
 * a deferral only by the holder of the lease, since another worker may be at work at this moment.
 * @returns the rows that were changed
 */
export function attemptResultWriter<Row extends object, const C extends Columns>(options: ResultWriterOptions<C>) {
  const { table, key, columns, set, formerAttempts = "attempts", returning } = options;
  const types = {
    jobId: "uuid",
    workerId: "uuid",
    state: "text",
    attempt: "jsonb",
    retryAfterS: "float8",
    ...columns,
  } as const;
  const results = recordSet<Columns>(types);
  const statement = `with result as (select * from ${results.from("result")})
    update ${table} set
      state = result.state,
      attempts = case when result.attempt is null then attempts else ${formerAttempts} || result.attempt end,
      due_at = now() + result.retry_after_s * interval '1 second',
      worker_id = null,
      lease_until = null,
      settled_at = case when result.state = 'waiting' then null else now() end${set === undefined ? "" : `,\n      ${set}`}
    from result
    where ${table}.${key} = result.job_id and ${table}.state = 'waiting'
      and (result.state <> 'waiting' or ${table}.worker_id = result.worker_id)
    returning ${returning}`;
  return async (tx: Transaction, batch: readonly (AttemptResult<string, unknown> & RecordOf<C>)[]): Promise<Row[]> => {
    // In the order in which `retryNow` locks the rows as well.
    const inOrder = batch.toSorted((one, other) => (one.jobId < other.jobId ? -1 : 1));
    const { rows } = await tx.query(statement, results.params(inOrder), { name: `record_${table}_results` });
    return rows as unknown as Row[];
  };
}
