import type { Logger } from "../telemetry/logger.ts";
import type { EventsConfig } from "./config.ts";
import type { EventBus } from "./types.ts";

/** The bus of this process: Kafka where brokers are named, else the embedded one, which needs all services in one process. */
export async function createEventBus(config: EventsConfig, logger: Logger): Promise<EventBus> {
  const isKafka = config.KAFKA_BROKERS.length > 0;
  logger.debug({ brokers: config.KAFKA_BROKERS }, isKafka ? "event bus: Kafka" : "event bus: embedded");
  // Each with what it needs: kafkajs alone would be a tenth of what one process loads.
  if (!isKafka) return new (await import("./embedded-bus.ts")).EmbeddedBus();
  const { KafkaBus } = await import("./kafka/bus.ts");
  return new KafkaBus(config, logger);
}
