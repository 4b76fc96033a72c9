import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Topic } from "../../../proto/topics.ts";
import type { Transaction } from "../db/types.ts";
import type { Consumer, EventHandler, Handle, IncomingEvent, Pace } from "./types.ts";

interface ConsumerSettings<Schema extends DescMessage> {
  topic: Topic<Schema>;
  /** Needed only where a service reads a topic twice; must never change, since the inbox knows events by it. */
  group?: string;
  /** Default `usual`. */
  pace?: Pace;
  handle: Handle<MessageShape<Schema>>;
}

/**
 * Declares what a service does with the events of a topic. The handler gets events that its group has not seen, in order
 * per key where the topic is ordered, and applies all their effects in the transaction given; it may run again with the same events when that
 * transaction fails, so nothing outside of it may happen there. Several events rather than one: write set-based SQL.
 */
export function consumer<Schema extends DescMessage>(
  topic: Topic<Schema>,
  handle: Handle<MessageShape<Schema>>,
): Consumer;
export function consumer<Schema extends DescMessage>(settings: ConsumerSettings<Schema>): Consumer;
export function consumer<Schema extends DescMessage>(
  given: Topic<Schema> | ConsumerSettings<Schema>,
  handler?: Handle<MessageShape<Schema>>,
): Consumer {
  const settings = (handler ? { topic: given, handle: handler } : given) as ConsumerSettings<Schema>;
  const { topic, group = topic.name, pace = "usual", handle } = settings;
  return reading(topic, group, { pace, handle: (tx, events) => handle(tx, eventsOf(topic, events)) });
}

interface JointSettings<First extends DescMessage, Second extends DescMessage> {
  topics: readonly [Topic<First>, Topic<Second>];
  pace: Pace;
  /** Whether somebody may wait for what a message of the first topic leads to: see EventHandler. */
  isAwaited(message: MessageShape<First>): boolean;
  /** Gets the events of either topic that have come by now; in no order between the topics. */
  handle(
    tx: Transaction,
    first: readonly IncomingEvent<MessageShape<First>>[],
    second: readonly IncomingEvent<MessageShape<Second>>[],
  ): Promise<void>;
}

/** The same for two topics whose events one transaction takes together where they come together. */
export function jointConsumers<First extends DescMessage, Second extends DescMessage>({
  topics: [first, second],
  pace,
  isAwaited,
  handle,
}: JointSettings<First, Second>): readonly Consumer[] {
  const handler: EventHandler = {
    pace,
    isAwaited: (message, topic) => topic === first.name && isAwaited(message as MessageShape<First>),
    handle: (tx, events) => handle(tx, eventsOf(first, events), eventsOf(second, events)),
  };
  return [reading(first, first.name, handler), reading(second, second.name, handler)];
}

/** Gives events of a consumer's topic to its handler, and no others. */
export async function handleAlone(
  { topic, handler }: Consumer,
  tx: Transaction,
  events: readonly IncomingEvent<MessageShape<DescMessage>>[],
): Promise<void> {
  await handler.handle(tx, new Map([[topic.name, events]]));
}

function reading<Schema extends DescMessage>(topic: Topic<Schema>, group: string, handler: EventHandler): Consumer {
  return { topic: topic as unknown as Topic, group, handler };
}

/** The bus decodes with the topic's own schema, so that a handler is never given another message. */
function eventsOf<Schema extends DescMessage>(topic: Topic<Schema>, events: Parameters<EventHandler["handle"]>[1]) {
  return (events.get(topic.name) ?? []) as readonly IncomingEvent<MessageShape<Schema>>[];
}
