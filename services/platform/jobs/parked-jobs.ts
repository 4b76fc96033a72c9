import type { Database } from "../db/types.ts";
import { describe } from "../events/dead.ts";
import { newId } from "../ids.ts";
import type { JobTable } from "./job-claims.ts";

/**
 * Jobs whose result could not be recorded by any attempt. They are not claimed any more, so that what they did outside is not done
 * over and over; they are listed among the dead events until an operator asks for them again.
 */
export class ParkedJobs<Job> {
  /** What dead events and metrics know them by. */
  readonly name: string;
  readonly #db: Database;
  readonly #table: JobTable<Job>;

  constructor(db: Database, table: JobTable<Job>) {
    this.name = `${db.schema}.${table.name}`;
    this.#db = db;
    this.#table = table;
  }

  async park(job: Job, error: unknown): Promise<void> {
    const { name, key } = this.#table;
    const id = key.of(job);
    await this.#db.tx(async (tx) => {
      await tx.query(
        `update ${name} set worker_id = null, lease_until = 'infinity' where ${key.column} = $1 and state = 'waiting'`,
        [id],
      );
      await tx.query(
        `insert into dead_event (id, consumer_group, topic, event_id, key, payload, headers, occurred_at, error)
         values ($1, $2, 'job', $3, '', '', '{}', now(), $4)
         on conflict (consumer_group, event_id) do update set error = excluded.error, died_at = now(), resend_asked_at = null`,
        [newId(), this.name, id, describe(error)],
      );
    });
  }

  /** Makes those due that an operator asked for again. True if there were any. */
  async resumeAsked(): Promise<boolean> {
    const { name, key } = this.#table;
    const { rowCount } = await this.#db.query(
      `with asked as (
         delete from dead_event where consumer_group = $1 and resend_asked_at is not null returning event_id)
       update ${name} set lease_until = null, due_at = now() from asked
        where ${key.column} = event_id and state = 'waiting' and lease_until = 'infinity'`,
      [this.name],
    );
    return rowCount > 0;
  }
}
