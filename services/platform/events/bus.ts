import type { Logger } from "../telemetry/logger.ts";
import type { EventsConfig } from "./config.ts";
import { EmbeddedBus } from "./embedded.ts";
import { KafkaBus } from "./kafka-bus.ts";
import type { EventBus } from "./types.ts";

/** The bus of this process: Kafka where brokers are named, else the embedded one, which needs all services in one process. */
export function createEventBus(config: EventsConfig, logger: Logger): EventBus {
  const isKafka = config.KAFKA_BROKERS.length > 0;
  logger.debug(isKafka ? `event bus: Kafka at ${config.KAFKA_BROKERS.join(", ")}` : "event bus: embedded");
  return isKafka ? new KafkaBus(config) : new EmbeddedBus();
}
