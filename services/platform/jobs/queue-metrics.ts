import type { Database } from "../db/types.ts";
import type { Metrics } from "../telemetry/metrics.ts";

interface Queue {
  /** What the metrics' names begin with. */
  prefix: string;
  table: string;
  /** What a job and several jobs are called. */
  one: string;
  many: string;
  /** Which of the waiting jobs count, as a condition on a row. */
  counted?: string;
  inFlightCount(): number;
}

/** How many jobs are in flight and how old the oldest is that waits, read at each scrape. */
export function observeQueue(metrics: Metrics, db: Database, queue: Queue): void {
  const { prefix, one, many, inFlightCount } = queue;
  metrics.gauge(`${prefix}_in_flight`, `${many} in flight in this process`, [], (gauge) => gauge.set(inFlightCount()));
  metrics.gauge(
    `${prefix}_oldest_waiting_seconds`,
    `Age of the oldest ${one} that waits, attempted or not`,
    [],
    async (gauge) => {
      // While the database is down the last value is kept: a scrape must not fail for it.
      const ageS = await oldestWaitingS(db, queue).catch(() => undefined);
      if (ageS !== undefined) gauge.set(ageS);
    },
  );
}

async function oldestWaitingS(db: Database, { table, counted = "true" }: Queue): Promise<number> {
  const { rows } = await db.query<{ ageS: number | null }>(
    `select extract(epoch from now() - min(received_at))::float8 as age_s from ${table} where state = 'waiting' and ${counted}`,
  );
  return Math.max(0, rows[0]?.ageS ?? 0);
}
