import type { ConsumerQueue } from "./consumer-queue.ts";
import type { EncodedEvent, EventSink } from "./types.ts";

/** The consumers of this process. They take events as a bus carries them, still encoded. */
export class LocalConsumers implements EventSink {
  readonly #queues = new Map<string, { readonly service: string; readonly queue: ConsumerQueue }[]>();

  add(service: string, queues: readonly ConsumerQueue[]): void {
    for (const queue of queues)
      for (const { topic } of queue.processor.groups)
        this.#queues.set(topic, [...(this.#queues.get(topic) ?? []), { service, queue }]);
  }

  has(service: string, topic: string): boolean {
    return this.#queues.get(topic)?.some((queue) => queue.service === service) ?? false;
  }

  /** Passes events to each consumer of their topics. An event without a consumer here is dropped. */
  async send(events: readonly EncodedEvent[]): Promise<void> {
    const byTopic = Map.groupBy(events, (event) => event.topic);
    const deliveries = [...byTopic].flatMap(([topic, part]) =>
      (this.#queues.get(topic) ?? []).map(({ queue }) => queue.push(part)),
    );
    await Promise.all(deliveries);
  }
}
