import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Topic } from "../../../proto/topics.ts";
import type { Consumer, Handle, Pace } from "./types.ts";

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
 * per key, and applies all their effects in the transaction given; it may run again with the same events when that
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
  const { topic, group = topic.name, pace = "usual" } = settings;
  // The bus decodes with the topic's own schema, so that the handler is never given another message.
  const handle = settings.handle as Handle<unknown> as Consumer["handle"];
  return { topic: topic as unknown as Topic, group, pace, handle };
}
