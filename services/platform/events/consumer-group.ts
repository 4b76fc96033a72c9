import type { Message } from "@bufbuild/protobuf";
import type { Counter } from "prom-client";
import type { Batcher } from "../concurrency/batcher.ts";
import { backoffMs, isPassing, isPassingForEvent, rest, throughOutages } from "../concurrency/retry.ts";
import type { Spacing } from "../concurrency/spacing.ts";
import type { Transaction } from "../db/types.ts";
import type { Logger } from "../telemetry/logger.ts";
import {
  extractContext,
  SpanKind,
  type SpanParticipant,
  traceHeaders,
  withExtractedContext,
  withSharedSpan,
} from "../telemetry/spans.ts";
import { deadEventCounter, recordDeadEvent } from "./dead.ts";
import { eventBatcher } from "./event-batcher.ts";
import { markSeen } from "./inbox.ts";
import { decodePayload } from "./payloads.ts";
import type { Consumer, EncodedEvent, IncomingEvent, Pace, ServiceEventsSettings } from "./types.ts";

/** By pace: how far apart batches begin under load. */
const spacings: Readonly<Record<Pace, Spacing>> = {
  prompt: { times: 3, atMostMs: 20 },
  usual: { times: 3, atMostMs: 100 },
  patient: { times: 50, atMostMs: 200 },
};
const batchAttempts = 3;
const singleAttempts = 5;
const failureBackoff = { firstMs: 20, maxMs: 500 };
const outageBackoff = { firstMs: 50, maxMs: 5_000 };

interface Decoded {
  readonly id: string;
  readonly encoded: EncodedEvent;
  readonly event: IncomingEvent<Message>;
}

/** A failure that is the events' own: it stayed after all attempts. */
interface Failure {
  readonly error: unknown;
}

/**
 * One consumer of one service. Takes batches from either bus and processes each to its end: an outage is waited out, however
 * long it takes; after any other failure, a statement that runs too long included, the batch is retried a few times, then each
 * event by itself, and an event that still fails is recorded in dead_event, so that it does not block the others.
 */
export class ConsumerGroup {
  /** `<service>.<topic>`: the name used in the inbox, in dead events, in metrics and at the broker. */
  readonly name: string;
  readonly topic: string;
  readonly pace: Pace;
  readonly #consumer: Consumer;
  readonly #system: string;
  readonly #settings: ServiceEventsSettings;
  readonly #handled: Counter;
  readonly #dead: Counter.Internal;

  /** @param system how OpenTelemetry names the bus */
  constructor(consumer: Consumer, settings: ServiceEventsSettings, system = "postern") {
    this.name = `${settings.name}.${consumer.group}`;
    this.topic = consumer.topic.name;
    this.pace = consumer.pace;
    this.#consumer = consumer;
    this.#system = system;
    this.#settings = settings;
    const { metrics } = settings;
    this.#handled = metrics.counter("postern_events_handled_total", "Events that took effect", ["consumer"]);
    this.#handled.inc({ consumer: this.name }, 0);
    this.#dead = deadEventCounter(metrics, this.name);
  }

  /**
   * Resolves once every event of the batch was handled or recorded as dead, and that is committed: then the bus acknowledges
   * them.
   * @throws the signal's reason when it is aborted between two attempts; what is not committed then comes again.
   */
  async process(batch: readonly EncodedEvent[], signal: AbortSignal): Promise<void> {
    const events = await this.#decodeAll(batch, signal);
    if (events.length > 1 && !(await this.#attempt(events, batchAttempts, signal))) return;
    for (const event of events) {
      const failure = await this.#attempt([event], singleAttempts, signal);
      if (failure) await this.#recordDeadEvent(event.encoded, failure.error, signal);
    }
  }

  /** Runs the handler for an event that was dead, in the transaction that takes it from among the dead. */
  async revive(tx: Transaction, encoded: EncodedEvent): Promise<void> {
    await this.#consumer.handle(tx, [this.#decode(encoded).event]);
  }

  async #decodeAll(batch: readonly EncodedEvent[], signal: AbortSignal): Promise<Decoded[]> {
    const events: Decoded[] = [];
    for (const encoded of batch) {
      try {
        events.push(this.#decode(encoded));
      } catch (error) {
        await this.#recordDeadEvent(encoded, error, signal);
      }
    }
    return events;
  }

  #decode(encoded: EncodedEvent): Decoded {
    const { id, key, occurredAt, headers: trace, payload } = encoded;
    const message = decodePayload(this.#consumer.topic.schema, payload);
    return { id, encoded, event: { id, key, message, occurredAt, trace } };
  }

  async #attempt(events: readonly Decoded[], attempts: number, signal: AbortSignal): Promise<Failure | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#persist(() => this.#apply(events), signal, isPassingForEvent);
        return undefined;
      } catch (error) {
        signal.throwIfAborted();
        const details = { consumer: this.name, events: events.length, attempt, err: error };
        this.#settings.logger.warn(details, "consumer failed");
        if (attempt === attempts) return { error };
      }
      await rest(backoffMs(attempt, failureBackoff), signal);
    }
  }

  /** Inbox and effects in one transaction, and nothing outside of it. */
  async #apply(events: readonly Decoded[]): Promise<void> {
    const span = {
      kind: SpanKind.CONSUMER,
      participants: events.map((event) =>
        participantOf(event, { system: this.#system, topic: this.topic, batchSize: events.length }),
      ),
    };
    const handled = await withSharedSpan(`consume ${this.name}`, span, (spans) =>
      this.#settings.db.tx(async (tx) => {
        const fresh = await markSeen(tx, this.name, events);
        // What follows from an event follows from its having been consumed here.
        const traced = fresh.map((each) => ({ ...each.event, trace: traceHeaders(spans[events.indexOf(each)]) }));
        if (traced.length > 0) await this.#consumer.handle(tx, traced);
        return traced.length;
      }),
    );
    this.#handled.inc({ consumer: this.name }, handled);
  }

  async #recordDeadEvent(encoded: EncodedEvent, error: unknown, signal: AbortSignal): Promise<void> {
    const { db, logger } = this.#settings;
    const isNew = await this.#persist(() => recordDeadEvent(db, this.name, encoded, error), signal);
    if (!isNew) return;
    this.#dead.inc();
    const details = { consumer: this.name, eventId: encoded.id, key: encoded.key, err: error };
    withExtractedContext(encoded.headers, () => logger.error(details, "event moved to dead_event"));
  }

  #persist<T>(run: () => Promise<T>, signal: AbortSignal, isOutage = isPassing): Promise<T> {
    const { logger } = this.#settings;
    return throughOutages(run, {
      signal,
      backoff: outageBackoff,
      isOutage,
      onOutage: (error) => logger.warn({ consumer: this.name, err: error }, "consumer paused by an outage"),
      onRecovery: () => logger.info({ consumer: this.name }, "consumer resumed after an outage"),
    });
  }
}

/** What waits for one group in this process, whichever bus it came by. */
export class ConsumerGroupQueue {
  readonly group: ConsumerGroup;
  readonly #batches: Batcher<EncodedEvent, undefined>;

  constructor(group: ConsumerGroup, logger: Logger) {
    this.group = group;
    this.#batches = eventBatcher(
      group.name,
      logger,
      (events, signal) => group.process(events, signal),
      spacings[group.pace],
    );
  }

  /** Hands over at most `batchLimit` events. Resolves once they have been processed. @throws AbortError if `stop` comes first. */
  async push(events: readonly EncodedEvent[]): Promise<void> {
    await this.#batches.submitAll(events);
  }

  /** How long the next events would wait here, in milliseconds. */
  get waitMs(): number {
    return this.#batches.waitMs;
  }

  stop(): Promise<void> {
    return this.#batches.stop();
  }
}

interface Batch {
  system: string;
  topic: string;
  batchSize: number;
}

/** Each event goes on with its trace. */
function participantOf({ event }: Decoded, { system, topic, batchSize }: Batch): SpanParticipant {
  const attributes = {
    "messaging.system.name": system,
    "messaging.operation.name": "consume",
    "messaging.operation.type": "process",
    "messaging.destination.name": topic,
    "messaging.batch.message_count": batchSize,
    "postern.event.waited_ms": Date.now() - event.occurredAt.getTime(),
    ...("emailId" in event.message ? { "postern.email_id": String(event.message.emailId) } : {}),
  };
  return { context: extractContext(event.trace), attributes };
}
