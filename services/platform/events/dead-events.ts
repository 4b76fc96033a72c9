import type { Counter } from "prom-client";
import type { Database } from "../db/types.ts";
import { messageOf } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { eventsChannel } from "./outbox/signals.ts";
import type { EncodedEvent } from "./types.ts";

const errorLimitCharacters = 16_000;

/** An event that a consumer failed to process, as an operator sees it: its content stays in the database. */
export interface DeadEvent {
  readonly id: string;
  readonly consumer: string;
  readonly topic: string;
  readonly eventId: string;
  readonly key: string;
  readonly payloadBytes: number;
  readonly occurredAt: Date;
  readonly diedAt: Date;
  /** The last error with its stack and causes. */
  readonly error: string;
  /** When somebody asked for it to be sent again, while that has not been done. */
  readonly resendAskedAt: Date | null;
}

/** Counts dead events, and parked jobs, by consumer. */
export function deadEventCounter(metrics: Metrics, consumer: string): Counter.Internal {
  const help = "Events that a consumer failed to process, and jobs parked after every attempt failed";
  const counter = metrics.counter("postern_dead_events_total", help, ["consumer"]).labels({ consumer });
  counter.inc(0);
  return counter;
}

/** Puts an event among the dead, and marks it as seen so that it does not come again by itself; false if it had been seen. */
export async function recordDeadEvent(
  db: Database,
  group: string,
  event: EncodedEvent,
  error: unknown,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with seen as (
       insert into inbox (consumer_group, event_id) values ($2, $4) on conflict do nothing returning event_id)
     insert into dead_event (id, consumer_group, topic, event_id, key, payload, headers, occurred_at, error)
     select $1, $2, $3, event_id, $5, $6, $7, $8, $9 from seen`,
    [
      newId(),
      group,
      event.topic,
      event.id,
      event.key,
      event.payload,
      JSON.stringify(event.headers),
      event.occurredAt,
      describeError(error),
    ],
  );
  return rowCount > 0;
}

/** The dead events of one service, oldest first. `after` is the id of the last one seen. */
export async function listDeadEvents(
  db: Database,
  { limit = 100, after }: { limit?: number; after?: string } = {},
): Promise<DeadEvent[]> {
  const { rows } = await db.query<DeadEvent>(
    `select id, consumer_group as consumer, topic, event_id, key, length(payload) as payload_bytes,
            occurred_at, died_at, error, resend_asked_at
       from dead_event where $2::uuid is null or id > $2 order by id limit $1`,
    [limit, after ?? null],
  );
  return rows;
}

/**
 * Asks for dead events to be given to their consumers again, which the service itself does, soon. An event whose consumer
 * fails again stays dead, with the new error. Works from any process.
 * @returns the ids of those that are there.
 */
export async function askForResend(db: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `update dead_event set resend_asked_at = now() where id = any ($1::uuid[]) returning id`,
    [ids],
  );
  if (rows.length > 0) await db.query("select pg_notify($1, 'dead')", [eventsChannel(db.schema)]);
  return rows.map((row) => row.id);
}

/** An error as text that PostgreSQL takes: with its causes, cut, and without NUL, which a text cannot hold. */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  for (
    let cause: unknown = error;
    cause !== undefined && parts.length < 5;
    cause = cause instanceof Error ? cause.cause : undefined
  ) {
    parts.push((cause instanceof Error && cause.stack) || messageOf(cause));
  }
  return parts.join("\ncaused by ").replaceAll("\0", "\uFFFD").slice(0, errorLimitCharacters);
}
