import { allTopics } from "../../../../proto/topics.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { EventsConfig } from "../config.ts";
import { consumerQueues } from "../consumer-queue.ts";
import { LocalConsumers } from "../local-consumers.ts";
import { type BusConnection, ServiceEvents } from "../service-events.ts";
import type { EventBus, ServiceEventsSettings } from "../types.ts";
import { KafkaClient } from "./client.ts";
import { kafkaLimits, StopPatience } from "./limits.ts";
import { KafkaReader } from "./reader.ts";
import { ReadingOutages } from "./reading-outages.ts";
import { KafkaSender } from "./sender.ts";

/**
 * The bus of a fleet: outboxes are sent to Kafka, and each consumer group reads its topic there. Where a process runs all consumers of a topic
 * whose events need no order, it hands its own events of that topic to them. Only the rest goes by Kafka: what finds no room, what a process left that
 * ended, and what processes send that run other services than this one.
 */
export class KafkaBus implements EventBus {
  readonly #config: EventsConfig;
  readonly #logger: Logger;
  readonly #consumers = new LocalConsumers();
  readonly #patience = new StopPatience();
  readonly #readers: KafkaReader[] = [];
  /** Filled by `start`. */
  readonly #localTopics = new Set<string>();
  #isStarted = false;

  constructor(config: EventsConfig, logger: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  addService(settings: ServiceEventsSettings): ServiceEvents {
    const { name, logger } = settings;
    if (this.#isStarted) throw new Error(`${name} was added after the bus had started`);
    const client = new KafkaClient(this.#config, `postern.${name}`, logger);
    const queues = consumerQueues(settings);
    this.#consumers.add(name, queues);
    const outages = new ReadingOutages({ logger });
    const readers = queues.flatMap((queue) =>
      queue.processor.groups.map(
        (group) => new KafkaReader({ client, group, queue, outages, patience: this.#patience }),
      ),
    );
    this.#readers.push(...readers);
    const groups = queues.flatMap((queue) => queue.processor.groups);
    return new ServiceEvents(
      settings,
      groups,
      this.#connection(readers, new KafkaSender(client, logger, kafkaLimits, this.#patience)),
    );
  }

  async start(): Promise<void> {
    for (const { name, isOrdered, consumers } of allTopics)
      if (!isOrdered && consumers.every((service) => this.#consumers.has(service, name))) this.#localTopics.add(name);
    this.#isStarted = true;
    this.#logger.debug({ topics: [...this.#localTopics] }, "topics that this process consumes without Kafka");
  }

  async stop(): Promise<void> {
    // Nothing to stop: the events of each service have connections of their own.
  }

  #connection(readers: readonly KafkaReader[], sender: KafkaSender): BusConnection {
    return {
      start: async () => {
        sender.start();
        for (const reader of readers) reader.start();
      },
      stop: async () => {
        // All at once: services stop one after the other, and for each the brokers would hold a last request for events as long as they may.
        for (const reader of this.#readers) reader.leave();
        await Promise.all([sender.stop(), ...readers.map((reader) => reader.stop())]);
      },
      send: (events) => sender.send(events),
      ready: async () => {
        await sender.ready();
        await Promise.all(readers.map((reader) => reader.ready()));
      },
      local: { topics: this.#localTopics, consumers: this.#consumers },
    };
  }
}
