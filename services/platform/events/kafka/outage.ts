import { Outage } from "../../errors.ts";
import type { EventsConfig } from "../config.ts";

/** What kafkajs threw, as an outage that says which variable names the brokers, and who was tried. */
export function brokerOutage(config: Pick<EventsConfig, "KAFKA_BROKERS">, cause: unknown): Outage {
  return new Outage("broker", { cause, operator: `KAFKA_BROKERS: ${config.KAFKA_BROKERS.join(", ")}` });
}
