import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Topic } from "../../../proto/topics.ts";
import type { Database, Transaction } from "../db/types.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { ServiceEvents } from "./service-events.ts";

/** An event as it is in the outbox and on either bus: its message is protobuf, encoded once. */
export interface EncodedEvent {
  /** UUID version 7; the inbox deduplicates by it. */
  readonly id: string;
  /** The topic's name. */
  readonly topic: string;
  /** Events with equal keys stay in order, if those of their topic are ordered. */
  readonly key: string;
  readonly payload: Buffer;
  /** The trace that it belongs to (W3C Trace Context). */
  readonly headers: Readonly<Record<string, string>>;
  readonly occurredAt: Date;
  /** Of the topic, where it came by Kafka. */
  readonly partition?: number;
}

/** An event in an outbox. */
export interface OutboxRow extends EncodedEvent {
  readonly rowId: number;
}

/** Takes events off an outbox. */
export interface EventSink {
  /**
   * Called with events in the order of the outbox, mostly with what one transaction has published, without waiting for the former call;
   * keeps that order per key where the topic is ordered. Resolves once the rows may be deleted. Rejects only because a consumer or sender has
   * stopped: then the rows stay.
   */
  send(events: readonly EncodedEvent[]): Promise<void>;
}

/** An event as a consumer receives it. */
export interface IncomingEvent<Message> {
  readonly id: string;
  readonly key: string;
  /** For reading alone: other groups of the process may have the same. */
  readonly message: Message;
  readonly occurredAt: Date;
  /** Pass it to `event` as the cause of events that follow from this one, so that they share its trace. */
  readonly trace: Readonly<Record<string, string>>;
}

/** Applies a set of events, in one transaction with everything that follows from them. */
export type Handle<Message> = (tx: Transaction, events: readonly IncomingEvent<Message>[]) => Promise<void>;

/** Events of each topic, by its name. A topic without events may be absent. */
export type EventsByTopic = ReadonlyMap<string, readonly IncomingEvent<MessageShape<DescMessage>>[]>;

/**
 * Who waits for what a group does: mail on its way to its recipient (`prompt`), programs and people (`usual`), or nobody (`patient`), so
 * that under load its batches may be few and large. The first event after a pause is taken at once by each.
 */
export type Pace = "prompt" | "usual" | "patient";

/** What a service does with events of one topic, or of several that are best taken together. */
export interface EventHandler {
  readonly pace: Pace;
  /** Whether somebody may wait for what an event of a topic leads to: it is taken at the pace `usual`, and what came before it as well. */
  isAwaited?(message: MessageShape<DescMessage>, topic: string): boolean;
  handle(tx: Transaction, events: EventsByTopic): Promise<void>;
}

/** A service's reading of a topic. Made by `consumer` and `jointConsumers`. */
export interface Consumer {
  readonly topic: Topic;
  /** The group's name within its service; the topic's name unless a service reads a topic twice. */
  readonly group: string;
  /** Consumers that share a handler have their events taken together, in one transaction. */
  readonly handler: EventHandler;
}

/** Carries events from the outboxes of services to the consumers of services. */
export interface EventBus {
  /** Adds a service's outbox and consumers; before `start`. The caller closes the database, after it has stopped the service's events. */
  addService(settings: ServiceEventsSettings): ServiceEvents;
  /** After every service of this process was added: the embedded bus drops an event without a consumer here. */
  start(): Promise<void>;
  /** After the events of every service have stopped. */
  stop(): Promise<void>;
}

export interface ServiceEventsSettings {
  /** The service's name. */
  readonly name: string;
  readonly db: Database;
  readonly consumers: readonly Consumer[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}
