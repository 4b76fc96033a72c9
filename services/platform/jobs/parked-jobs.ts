import type { Counter } from "prom-client";
import type { Database } from "../db/types.ts";
import { deadEventCounter, describeError } from "../events/dead-events.ts";
import { newId } from "../ids.ts";
import type { Metrics } from "../telemetry/metrics.ts";

interface ParkingTable<Job> {
  name: string;
  key: { column: string; of(job: Job): string };
  /** The column by which nobody claims a parked job: it is then 'infinity'. */
  parkedBy: "lease_until" | "due_at";
}

const statements = {
  lease_until: {
    park: "worker_id = null, lease_until = 'infinity'",
    resume: "lease_until = null, due_at = now()",
    isWaiting: "state = 'waiting'",
  },
  due_at: { park: "due_at = 'infinity'", resume: "due_at = now(), attempt_count = 0", isWaiting: "true" },
} as const;

/**
 * Jobs that failed in every attempt. They are not claimed any more, so that what they did outside is not done over and over; they
 * are counted, and listed among the dead events until an operator asks for them again.
 */
export class ParkedJobs<Job> {
  /** What dead events and metrics know them by. */
  readonly name: string;
  readonly #db: Database;
  readonly #table: ParkingTable<Job>;
  readonly #total: Counter.Internal;

  constructor(db: Database, table: ParkingTable<Job>, metrics: Metrics) {
    this.name = `${db.schema}.${table.name}`;
    this.#db = db;
    this.#table = table;
    this.#total = deadEventCounter(metrics, this.name);
  }

  async park(job: Job, error: unknown): Promise<void> {
    const { name, key, parkedBy } = this.#table;
    const { park, isWaiting } = statements[parkedBy];
    const id = key.of(job);
    const { rowCount } = await this.#db.query(
      `with parked as (update ${name} set ${park} where ${key.column} = $3 and ${isWaiting} returning 1)
       insert into dead_event (id, consumer_group, topic, event_id, key, payload, headers, occurred_at, error)
       select $1, $2, 'job', $3, '', '', '{}', now(), $4 from parked
       on conflict (consumer_group, event_id) do update set error = excluded.error, died_at = now(), resend_asked_at = null`,
      [newId(), this.name, id, describeError(error)],
    );
    this.#total.inc(rowCount);
  }

  /** Makes those due that an operator asked for again. True if there were any. */
  async resumeAsked(): Promise<boolean> {
    const { name, key, parkedBy } = this.#table;
    const { resume, isWaiting } = statements[parkedBy];
    const { rowCount } = await this.#db.query(
      `with asked as (
         delete from dead_event where consumer_group = $1 and resend_asked_at is not null returning event_id)
       update ${name} set ${resume} from asked
        where ${key.column} = event_id and ${isWaiting} and ${parkedBy} = 'infinity'`,
      [this.name],
    );
    return rowCount > 0;
  }
}
