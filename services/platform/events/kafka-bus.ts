import type { EventsConfig } from "./config.ts";
import { consumerQueues } from "./consumer-queue.ts";
import { KafkaClient } from "./kafka-client.ts";
import { KafkaReader } from "./kafka-reader.ts";
import { KafkaSender } from "./kafka-sender.ts";
import { type BusConnection, ServiceEvents } from "./service-events.ts";
import type { EventBus, ServiceEventsSettings } from "./types.ts";

/** The bus of a fleet: outboxes are sent to Kafka, and each consumer group reads its topic there. */
export class KafkaBus implements EventBus {
  readonly #config: EventsConfig;

  constructor(config: EventsConfig) {
    this.#config = config;
  }

  service(settings: ServiceEventsSettings): ServiceEvents {
    const { name, logger } = settings;
    const client = new KafkaClient(this.#config, `postern.${name}`, logger);
    const queues = consumerQueues(settings);
    const readers = queues.flatMap((queue) =>
      queue.processor.groups.map((group) => new KafkaReader({ client, group, queue, logger })),
    );
    const groups = queues.flatMap((queue) => queue.processor.groups);
    return new ServiceEvents(settings, groups, busConnection(readers, new KafkaSender(client, logger)));
  }

  async start(): Promise<void> {
    // Nothing to start: the events of each service have connections of their own.
  }

  async stop(): Promise<void> {
    // Nothing to stop: see start.
  }
}

function busConnection(readers: readonly KafkaReader[], sender: KafkaSender): BusConnection {
  return {
    start: async () => {
      sender.start();
      for (const reader of readers) reader.start();
    },
    stop: async () => {
      await Promise.all([sender.stop(), ...readers.map((reader) => reader.stop())]);
    },
    send: (events) => sender.send(events),
    ready: async () => {
      await sender.ready();
      await Promise.all(readers.map((reader) => reader.ready()));
    },
  };
}
