import type { Counter, Gauge } from "prom-client";
import type { Database } from "../platform/db/types.ts";
import { observeQueue } from "../platform/jobs/queue-metrics.ts";
import type { Histogram } from "../platform/telemetry/histogram.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { extractContext } from "../platform/telemetry/spans.ts";
import { isDeliveryOwnerDisabled } from "./accounts/disabled-accounts.ts";
import type { Delivery } from "./deliveries/delivery.ts";
import type { DeliveryResult } from "./deliveries/record-results.ts";
import type { ReplyClass } from "./replies/classify-reply.ts";
import { providerOf } from "./replies/providers.ts";
import type { Transport } from "./transports/transport.ts";

/** The largest destinations have a series of their own; the rest share one, so that the number of series is bounded. */
const namedDestinations = 20;
const maxWaitingRead = 10_000;

/** Around the minute that docs/slo.md promises. */
const delayBucketsS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];

/** In place of a reason, where there was no failure. */
const delivered = { about: "none", reason: "delivered" };

/** Counts attempts by outcome, bounces by what they say, and replies by class; measures how soon each email was tried first. */
export class DeliveryMetrics {
  readonly #attempts: Counter;
  readonly #firstAttempt: Histogram;
  readonly #bounces: Counter;
  readonly #replies: Counter;

  constructor(metrics: Metrics) {
    this.#attempts = metrics.counter("postern_forward_total", "Attempts to deliver, by what came of them", [
      "outcome",
      "kind",
    ]);
    this.#firstAttempt = metrics.histogram(
      "postern_forward_first_attempt_seconds",
      "From the 250 that an email was accepted with to the end of the first attempt to deliver it",
      delayBucketsS,
    );
    this.#bounces = metrics.counter(
      "postern_forward_bounces_total",
      "Bounces matched to a delivery, by what they said",
      ["kind"],
    );
    this.#replies = metrics.counter(
      "postern_forward_replies_total",
      "Replies to attempts, and bounces, by the provider that gave them and by what they mean",
      ["provider", "about", "reason"],
    );
  }

  attempted(
    { kind, domain, receivedAt, attemptCount, trace }: Delivery,
    { state, attempt, reply }: DeliveryResult,
  ): void {
    if (!attempt) return;
    this.#attempts.inc({ outcome: state === "waiting" ? "deferred" : state, kind });
    this.#replied(domain, attempt.remote, reply ?? delivered);
    if (kind === "forward" && attemptCount === 0)
      this.#firstAttempt.observe((Date.now() - receivedAt.getTime()) / 1_000, {}, extractContext(trace));
  }

  bounced({ domain }: Delivery, kind: "failed" | "delayed", reply: ReplyClass): void {
    this.#bounces.inc({ kind });
    this.#replied(domain, "", reply);
  }

  #replied(domain: string, remote: string, { about, reason }: { about: string; reason: string }): void {
    this.#replies.inc({ provider: providerOf(domain, remote), about, reason });
  }
}

/** Queue depth and age, read at each scrape. Mail of a disabled account and held mail does not count as late. */
export function observeDeliveries(
  metrics: Metrics,
  db: Database,
  inFlightCount: () => number,
  transport: Transport,
): void {
  observeQueue(metrics, db, {
    prefix: "postern_forward",
    table: "delivery",
    one: "delivery",
    many: "Deliveries",
    counted: `not ${isDeliveryOwnerDisabled} and not exists (select from held_delivery where delivery_id = delivery.id)`,
    inFlightCount,
  });
  metrics.gauge(
    "postern_forward_destination_waiting",
    `Deliveries that wait, by destination, of the ${maxWaitingRead} that are due first`,
    ["destination"],
    async (gauge) => {
      // While the database is down the last values are kept: a scrape must not fail for it.
      const waiting = await waitingByDestination(db).catch(() => undefined);
      if (waiting) setBounded(gauge, waiting);
    },
  );
  metrics.gauge(
    "postern_forward_destination_sessions",
    "Sessions that carry a message now, by destination",
    ["destination"],
    (gauge) => setBounded(gauge, [...transport.busySessions()]),
  );
}

function setBounded(gauge: Gauge, counts: readonly (readonly [destination: string, count: number])[]): void {
  gauge.reset();
  const largest = [...counts].sort(([, a], [, b]) => b - a);
  for (const [destination, count] of largest.slice(0, namedDestinations)) gauge.set({ destination }, count);
  const others = largest.slice(namedDestinations).reduce((sum, [, count]) => sum + count, 0);
  if (others > 0) gauge.set({ destination: "others" }, others);
}

/** Bounded, so that a scrape costs the same however much waits. */
async function waitingByDestination(db: Database): Promise<[string, number][]> {
  const { rows } = await db.query<{ domain: string; count: number }>(
    `select domain, count(*)::int as count from (
       select domain from delivery where state = 'waiting' order by due_at limit $1) as first group by domain`,
    [maxWaitingRead],
  );
  return rows.map(({ domain, count }) => [domain, count]);
}
