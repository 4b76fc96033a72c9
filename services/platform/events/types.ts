import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Topic } from "../../../proto/topics.ts";
import type { Database, Transaction } from "../db/types.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** An event as it lies in the outbox and travels on either bus: its message is protobuf, encoded once. */
export interface EncodedEvent {
  /** UUID version 7; what the inbox knows it by. */
  readonly id: string;
  /** The topic's name. */
  readonly topic: string;
  /** Events of a topic with equal keys stay in order. */
  readonly key: string;
  readonly payload: Buffer;
  /** The trace that it belongs to (W3C Trace Context). */
  readonly headers: Readonly<Record<string, string>>;
  readonly occurredAt: Date;
}

/** An event as a consumer gets it. */
export interface IncomingEvent<Message> {
  readonly id: string;
  readonly key: string;
  readonly message: Message;
  readonly occurredAt: Date;
  /** Give it to `event` as the cause of what follows from this one, so that the trace goes on. */
  readonly trace: Readonly<Record<string, string>>;
}

/** A set of events in, in one transaction with everything that follows from them. */
export type Handle<Message> = (tx: Transaction, events: readonly IncomingEvent<Message>[]) => Promise<void>;

/** What a service does with the events of a topic. Made by `consumer`. */
export interface Consumer {
  readonly topic: Topic;
  /** The group's name within its service; the topic's name unless a service reads a topic twice. */
  readonly group: string;
  readonly handle: Handle<MessageShape<DescMessage>>;
}

/** Carries events from the outboxes of services to the consumers of services. */
export interface EventBus {
  /** Adds a service's outbox and consumers; before `start`. The database stays its owner's to close, after the flow's stop. */
  service(settings: FlowSettings): Flow;
  /** Once every service of this process was added: from here on, an event that nobody here reads is nobody's. */
  start(): Promise<void>;
  /** After the flows have stopped. */
  stop(): Promise<void>;
}

export interface FlowSettings {
  /** The service's name. */
  readonly name: string;
  readonly db: Database;
  readonly consumers: readonly Consumer[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** One service's part of the bus. */
export interface Flow {
  /** Begins to consume and to send; an unreachable broker does not fail it, see `ready`. */
  start(): Promise<void>;
  /** Finishes what is in hand and leaves the rest where it is. */
  stop(): Promise<void>;
  /** @throws Outage while the bus cannot be reached. */
  ready(): Promise<void>;
}
