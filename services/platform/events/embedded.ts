import { type ConsumerQueue, consumerQueues } from "./consumer-queue.ts";
import { type BusConnection, ServiceEvents } from "./service-events.ts";
import type { EncodedEvent, EventBus, ServiceEventsSettings } from "./types.ts";

/**
 * The bus of a process that runs all services. It passes the rows of each outbox, still encoded and mostly without reading them back, to
 * the consumer groups of this process; a row is deleted once each group has committed. The outboxes are the log: after a kill their rows are
 * delivered again, and the inboxes drop those that had taken effect.
 */
export class EmbeddedBus implements EventBus {
  readonly #queues = new Map<string, ConsumerQueue[]>();
  #isStarted = false;

  service(settings: ServiceEventsSettings): ServiceEvents {
    if (this.#isStarted)
      throw new Error(`${settings.name} was added after the bus had started: its events may have been dropped`);
    const queues = consumerQueues(settings);
    const groups = queues.flatMap((queue) => queue.processor.groups.map((group) => ({ group, queue })));
    for (const { group, queue } of groups)
      this.#queues.set(group.topic, [...(this.#queues.get(group.topic) ?? []), queue]);
    return new ServiceEvents(
      settings,
      groups.map(({ group }) => group),
      this.#connection(queues),
    );
  }

  async start(): Promise<void> {
    this.#isStarted = true;
  }

  async stop(): Promise<void> {
    // Nothing to stop: the events of each service have stopped their queues.
  }

  #connection(own: readonly ConsumerQueue[]): BusConnection {
    const nothing = async () => undefined;
    return {
      start: nothing,
      stop: async () => {
        await Promise.all(own.map((queue) => queue.stop()));
      },
      ready: nothing,
      send: (events) => this.#deliver(events),
    };
  }

  /** Passes events to the groups of their topics. An event without a consumer here is dropped. */
  async #deliver(events: readonly EncodedEvent[]): Promise<void> {
    const byTopic = Map.groupBy(events, (event) => event.topic);
    const deliveries = [...byTopic].flatMap(([topic, part]) =>
      (this.#queues.get(topic) ?? []).map((queue) => queue.push(part)),
    );
    await Promise.all(deliveries);
  }
}
