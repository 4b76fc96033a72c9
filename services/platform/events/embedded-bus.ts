import { type ConsumerQueue, consumerQueues } from "./consumer-queue.ts";
import { LocalConsumers } from "./local-consumers.ts";
import { type BusConnection, ServiceEvents } from "./service-events.ts";
import type { EventBus, ServiceEventsSettings } from "./types.ts";

/**
 * The bus of a process that runs all services. It passes the rows of each outbox, still encoded and mostly without reading them back, to
 * the consumer groups of this process; a row is deleted once each group has committed. The outboxes are the log: after a kill their rows are
 * delivered again, and the inboxes drop those that had taken effect.
 */
export class EmbeddedBus implements EventBus {
  readonly #consumers = new LocalConsumers();
  #isStarted = false;

  addService(settings: ServiceEventsSettings): ServiceEvents {
    if (this.#isStarted)
      throw new Error(`${settings.name} was added after the bus had started: its events may have been dropped`);
    const queues = consumerQueues(settings);
    this.#consumers.add(settings.name, queues);
    const groups = queues.flatMap((queue) => queue.processor.groups);
    return new ServiceEvents(settings, groups, this.#connection(queues));
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
      send: (events) => this.#consumers.send(events),
    };
  }
}
