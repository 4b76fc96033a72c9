import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Counter } from "prom-client";
import type { Transaction } from "../db/types.ts";
import { extractContext, type SpanParticipant } from "../telemetry/spans.ts";
import { handleAlone } from "./consumer.ts";
import { deadEventCounter, recordDeadEvent } from "./dead-events.ts";
import { decodePayload } from "./payloads.ts";
import type { Consumer, EncodedEvent, IncomingEvent, ServiceEventsSettings } from "./types.ts";

/** An event that came for a group, and its message. */
export interface ReceivedEvent {
  readonly id: string;
  readonly group: ConsumerGroup;
  readonly encoded: EncodedEvent;
  readonly event: IncomingEvent<MessageShape<DescMessage>>;
}

/** One consumer of one service, as the inbox, dead events, metrics, traces and the broker know it. */
export class ConsumerGroup {
  /** `<service>.<topic>`. */
  readonly name: string;
  readonly topic: string;
  readonly #consumer: Consumer;
  readonly #settings: ServiceEventsSettings;
  readonly #handled: Counter.Internal;
  readonly #dead: Counter.Internal;

  constructor(consumer: Consumer, settings: ServiceEventsSettings) {
    this.name = `${settings.name}.${consumer.group}`;
    this.topic = consumer.topic.name;
    this.#consumer = consumer;
    this.#settings = settings;
    const handled = settings.metrics.counter("postern_events_handled_total", "Events that took effect", ["consumer"]);
    this.#handled = handled.labels({ consumer: this.name });
    this.#handled.inc(0);
    this.#dead = deadEventCounter(settings.metrics, this.name);
  }

  /** @throws what the message's bytes make protobuf throw. */
  decode(encoded: EncodedEvent): ReceivedEvent {
    const { id, key, occurredAt, headers: trace, payload } = encoded;
    const message = decodePayload(this.#consumer.topic.schema, payload);
    return { id, group: this, encoded, event: { id, key, message, occurredAt, trace } };
  }

  /** Each event goes on with its trace. */
  participantOf({ encoded: { partition }, event }: ReceivedEvent, batchSize: number): SpanParticipant {
    const attributes = () => ({
      ...(partition === undefined
        ? { "messaging.system.name": "postern" }
        : { "messaging.system.name": "kafka", "messaging.destination.partition.id": String(partition) }),
      "messaging.operation.name": "consume",
      "messaging.operation.type": "process",
      "messaging.destination.name": this.topic,
      "messaging.batch.message_count": batchSize,
      "postern.event.waited_ms": Date.now() - event.occurredAt.getTime(),
      ...("emailId" in event.message ? { "postern.email_id": String(event.message.emailId) } : {}),
    });
    return { name: `consume ${this.name}`, context: extractContext(event.trace), attributes };
  }

  /** An event took effect. */
  countHandled(): void {
    this.#handled.inc();
  }

  /** Sets an event aside. @returns whether it is there for the first time */
  async recordDead(encoded: EncodedEvent, error: unknown): Promise<boolean> {
    const isNew = await recordDeadEvent(this.#settings.db, this.name, encoded, error);
    if (isNew) this.#dead.inc();
    return isNew;
  }

  /** Runs the handler for an event that was dead, in the transaction that takes it from among the dead. */
  async revive(tx: Transaction, encoded: EncodedEvent): Promise<void> {
    await handleAlone(this.#consumer, tx, [this.decode(encoded).event]);
  }
}
