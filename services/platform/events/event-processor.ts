import { backoffMs, isTransientFailure, isTransientForEvent, sleep, throughOutages } from "../concurrency/retry.ts";
import { SpanKind, traceHeaders, withExtractedContext, withSharedSpan } from "../telemetry/spans.ts";
import { ConsumerGroup, type ReceivedEvent } from "./consumer-group.ts";
import { markSeen } from "./inbox.ts";
import type { Consumer, EncodedEvent, EventHandler, ServiceEventsSettings } from "./types.ts";

const batchAttempts = 3;
const singleAttempts = 5;
const failureBackoff = { firstMs: 20, maxMs: 500 };
const outageBackoff = { firstMs: 50, maxMs: 5_000 };

/** A failure that is the events' own: it stayed after all attempts. */
interface Failure {
  readonly error: unknown;
}

/**
 * Processes batches for one handler: for one consumer, or for several that share it. Takes them from either bus and processes each to its
 * end: an outage is waited out, however long it takes; after any other failure, a statement that runs too long included, the batch is
 * retried a few times, then each event by itself, and an event that still fails is recorded in dead_event, so that it does not block the
 * others.
 */
export class EventProcessor {
  readonly groups: readonly ConsumerGroup[];
  /** Of all its groups. */
  readonly name: string;
  readonly handler: EventHandler;
  readonly #groupByTopic: ReadonlyMap<string, ConsumerGroup>;
  readonly #settings: ServiceEventsSettings;

  /** @param consumers share a handler, and have a topic each */
  constructor(consumers: readonly [Consumer, ...Consumer[]], settings: ServiceEventsSettings) {
    this.groups = consumers.map((consumer) => new ConsumerGroup(consumer, settings));
    this.name = this.groups.map(({ name }) => name).join("+");
    this.handler = consumers[0].handler;
    this.#groupByTopic = new Map(this.groups.map((group) => [group.topic, group]));
    this.#settings = settings;
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
      if (failure) await this.#recordDeadEvent(event.group, event.encoded, failure.error, signal);
    }
  }

  /** Whether somebody may wait for what one of these leads to. What cannot be decoded will be dead. */
  isAwaited(events: readonly EncodedEvent[]): boolean {
    const { isAwaited } = this.handler;
    if (!isAwaited) return false;
    return events.some((encoded) => {
      try {
        return isAwaited(this.#groupOf(encoded).decode(encoded).event.message, encoded.topic);
      } catch {
        return false;
      }
    });
  }

  async #decodeAll(batch: readonly EncodedEvent[], signal: AbortSignal): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    for (const encoded of batch) {
      const group = this.#groupOf(encoded);
      try {
        events.push(group.decode(encoded));
      } catch (error) {
        await this.#recordDeadEvent(group, encoded, error, signal);
      }
    }
    return events;
  }

  #groupOf({ topic }: EncodedEvent): ConsumerGroup {
    const group = this.#groupByTopic.get(topic);
    if (!group) throw new Error(`${this.name} was given an event of ${topic}`);
    return group;
  }

  async #attempt(
    events: readonly ReceivedEvent[],
    attempts: number,
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#persist(() => this.#apply(events), signal, isTransientForEvent);
        return undefined;
      } catch (error) {
        signal.throwIfAborted();
        const details = { consumer: this.name, events: events.length, attempt, err: error };
        this.#settings.logger.warn(details, "consumer failed");
        if (attempt === attempts) return { error };
      }
      await sleep(backoffMs(attempt, failureBackoff), signal);
    }
  }

  /** Inbox and effects in one transaction, and nothing outside of it. */
  async #apply(events: readonly ReceivedEvent[]): Promise<void> {
    const span = {
      kind: SpanKind.CONSUMER,
      participants: events.map((event) => event.group.participantOf(event, events.length)),
    };
    const handled = await withSharedSpan(`consume ${this.name}`, span, (spans) =>
      this.#settings.db.tx(async (tx) => {
        // Each transaction marks the groups' events in this order, or two might wait for each other.
        const byGroup = Map.groupBy(events, ({ group }) => group);
        const fresh = await Promise.all(
          this.groups.map(async (group) => {
            const given = byGroup.get(group);
            return given ? markSeen(tx, group.name, given) : [];
          }),
        );
        const seenFirst = fresh.flat();
        // What follows from an event follows from its having been consumed here.
        const spanOf = new Map(events.map((event, index) => [event, spans[index]]));
        const traced = (each: ReceivedEvent) => ({ ...each.event, trace: traceHeaders(spanOf.get(each)) });
        const byTopic = Map.groupBy(seenFirst, ({ group }) => group.topic);
        if (byTopic.size > 0)
          await this.handler.handle(tx, new Map([...byTopic].map(([topic, given]) => [topic, given.map(traced)])));
        return seenFirst;
      }),
    );
    for (const { group } of handled) group.countHandled();
  }

  async #recordDeadEvent(
    group: ConsumerGroup,
    encoded: EncodedEvent,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const isNew = await this.#persist(() => group.recordDead(encoded, error), signal);
    if (!isNew) return;
    const details = { consumer: group.name, eventId: encoded.id, key: encoded.key, err: error };
    withExtractedContext(encoded.headers, () => this.#settings.logger.error(details, "event moved to dead_event"));
  }

  #persist<T>(run: () => Promise<T>, signal: AbortSignal, isOutage = isTransientFailure): Promise<T> {
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
