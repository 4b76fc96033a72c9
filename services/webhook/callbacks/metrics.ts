import type { Database } from "../../platform/db/types.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { AttemptResult } from "./callback.ts";

/** From a target next door to one that just makes it (15 s). */
const durationBucketsS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Counts and times results by outcome. A release without an attempt is none. */
export function attemptObserver(metrics: Metrics): (result: AttemptResult) => void {
  const counter = metrics.counter("postern_callback_total", "Callbacks, by what came of an attempt", ["outcome"]);
  const histogram = metrics.histogram(
    "postern_callback_duration_seconds",
    "How long attempts at callbacks took",
    durationBucketsS,
    ["outcome"],
  );
  return ({ state, attempt }) => {
    const outcome = state === "waiting" ? "deferred" : state;
    if (attempt || state !== "waiting") counter.inc({ outcome });
    if (attempt) histogram.observe({ outcome }, attempt.durationMs / 1_000);
  };
}

/** Queue metrics, read when they are scraped. */
export function observeQueue(metrics: Metrics, db: Database, inFlightCount: () => number): void {
  metrics.gauge("postern_callback_in_flight", "Callbacks in flight in this process", [], (gauge) =>
    gauge.set(inFlightCount()),
  );
  metrics.gauge(
    "postern_callback_oldest_waiting_seconds",
    "Age of the oldest callback that waits, attempted or not",
    [],
    async (gauge) => {
      // While the database cannot be reached the last value stays: a scrape must not fail because of it.
      const age = await oldestWaitingS(db).catch(() => undefined);
      if (age !== undefined) gauge.set(age);
    },
  );
}

async function oldestWaitingS(db: Database): Promise<number> {
  const { rows } = await db.query<{ ageS: number | null }>(
    "select extract(epoch from now() - min(received_at))::float8 as age_s from callback where state = 'waiting'",
  );
  return Math.max(0, rows[0]?.ageS ?? 0);
}
