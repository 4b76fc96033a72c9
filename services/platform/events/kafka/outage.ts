import { Outage } from "../../errors.ts";

/** What kafkajs threw, as an outage that says which variable names the brokers, and who was tried. */
export function brokerOutage(brokers: readonly string[], cause: unknown): Outage {
  return new Outage("broker", { cause, operator: `KAFKA_BROKERS: ${brokers.join(", ")}` });
}
