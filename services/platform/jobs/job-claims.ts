import type { Queryable } from "../db/types.ts";
import type { ClaimExclusions } from "./in-flight.ts";
import { unlockedRows } from "./unlocked-rows.ts";

/** Jobs with the same value of a column, such as a domain, share a limit. */
interface JobConcurrencyLimit<Job> {
  column: string;
  of(job: Job): string;
  /** Jobs that are run at once in this process. */
  limit: number;
}

/**
 * A table of jobs: rows that each wait for something to be done outside the database. It has the columns `state`, which is
 * 'waiting' until the job has ended, `due_at`, `worker_id` and `lease_until`.
 */
export interface JobTable<Job> {
  name: string;
  key: { column: string; of(job: Job): string };
  /** The columns of a job, as `returning` takes them. */
  columns: string;
  /** Besides being due, as a condition on a row. */
  claimable?: string;
  concurrencyLimits: readonly JobConcurrencyLimit<Job>[];
  /** Jobs that are run at once in this process, all together. */
  limit: number;
  /** How long a claimed job belongs to its worker alone. */
  leaseS: number;
}

/** Claims jobs under a lease: until it ends, only the worker that holds it acts on the job. */
export class JobClaims<Job> {
  readonly workerId: string;
  readonly #db: Queryable;
  readonly #table: JobTable<Job>;
  readonly #statement: string;

  constructor(db: Queryable, table: JobTable<Job>, workerId: string) {
    this.#db = db;
    this.#table = table;
    this.workerId = workerId;
    const { name, key, columns, concurrencyLimits, claimable = "true" } = table;
    const hasRoom = concurrencyLimits.map(({ column }, index) => `and ${column}::text <> all ($${index + 5}::text[])`);
    const due = unlockedRows({
      columns: key.column,
      table: name,
      where: `state = 'waiting' and due_at <= now() and (lease_until is null or lease_until < now())
           and ${key.column} <> all ($4::uuid[]) and ${claimable} ${hasRoom.join(" ")}`,
      orderBy: "due_at",
      limit: "$3",
    });
    this.#statement = `update ${name} set worker_id = $1, lease_until = now() + $2 * interval '1 second'
       where ${key.column} = any (array(${due})) returning ${columns}`;
  }

  /** Claims the jobs that have been due longest, those whose lease has expired included. */
  async claim(limit: number, busy: ClaimExclusions): Promise<Job[]> {
    const { name, leaseS } = this.#table;
    const { rows } = await this.#db.query(this.#statement, [this.workerId, leaseS, limit, busy.keys, ...busy.atLimit], {
      name: `claim_${name}`,
    });
    return rows as Job[];
  }

  /** Ends the leases of jobs that there is no room for after all; they keep their place in the queue. */
  async release(jobs: readonly Job[]): Promise<void> {
    await this.#setLease("release", "worker_id = null, lease_until = null", jobs, []);
  }

  /** Extends the leases of jobs in flight. */
  async extend(jobs: readonly Job[]): Promise<void> {
    await this.#setLease("extend", "lease_until = now() + $3 * interval '1 second'", jobs, [this.#table.leaseS]);
  }

  async #setLease(name: string, change: string, jobs: readonly Job[], values: readonly unknown[]): Promise<void> {
    if (jobs.length === 0) return;
    const { name: table, key } = this.#table;
    await this.#db.query(
      `update ${table} set ${change} where ${key.column} = any ($1::uuid[]) and worker_id = $2 and state = 'waiting'`,
      [jobs.map((job) => key.of(job)), this.workerId, ...values],
      { name: `${name}_${table}` },
    );
  }
}
