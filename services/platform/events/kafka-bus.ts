import type { EventsConfig } from "./config.ts";
import { type Line, ServiceFlow } from "./flow.ts";
import { Group, GroupQueue } from "./group.ts";
import { KafkaClient } from "./kafka.ts";
import { KafkaReader } from "./kafka-reader.ts";
import { KafkaSender } from "./kafka-sender.ts";
import type { EventBus, Flow, FlowSettings } from "./types.ts";

/** The bus of a fleet: every outbox is sent to Kafka, every group reads there what is its. */
export class KafkaBus implements EventBus {
  readonly #config: EventsConfig;

  constructor(config: EventsConfig) {
    this.#config = config;
  }

  service(settings: FlowSettings): Flow {
    const { name, logger } = settings;
    const client = new KafkaClient(this.#config, `postern.${name}`, logger);
    const groups = settings.consumers.map((consumer) => new Group(consumer, settings));
    const readers = groups.map((group) => new KafkaReader(client, new GroupQueue(group, logger), logger));
    return new ServiceFlow(settings, groups, line(readers, new KafkaSender(client, logger)));
  }

  async start(): Promise<void> {
    // Nothing of its own: each flow has its connections.
  }

  async stop(): Promise<void> {
    // Nothing of its own.
  }
}

function line(readers: readonly KafkaReader[], sender: KafkaSender): Line {
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
