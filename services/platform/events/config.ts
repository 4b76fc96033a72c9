import {
  boolean,
  type ConfigCheck,
  type ConfigOf,
  defineConfig,
  integer,
  list,
  oneOf,
  optionalText,
  text,
} from "../config.ts";

/** A port stands beside it: brokers have no default. */
function isBroker(given: string): boolean {
  const port = /^(?:\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(given)?.[1];
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}

export const eventsConfig = defineConfig({
  KAFKA_BROKERS: list("", "host:port, comma-separated", (given) => (isBroker(given) ? given : undefined))
    .meta({ unset: "the embedded event log (durable in PostgreSQL)" })
    .describe("The Kafka brokers that are asked first; they name the others"),
  KAFKA_TOPIC_PREFIX: text("", "up to 100 of A-Z a-z 0-9 . _ -", (given) => /^[\w.-]{0,100}$/.test(given)).describe(
    "Put before the names of topics and groups, so that installations can share a cluster",
  ),
  KAFKA_PARTITIONS: integer(12, { min: 1, max: 1_000 }).describe("Partitions of a topic that has to be created"),
  KAFKA_REPLICATION: integer(1, { min: 1, max: 10 }).describe("Replicas of a topic that has to be created"),
  KAFKA_MIN_INSYNC_REPLICAS: integer(1, { min: 1, max: 10 }).describe(
    "Replicas that must have an event before it counts as sent; for topics that have to be created",
  ),
  KAFKA_RETENTION_H: integer(168, { min: 1, max: 312 }).describe(
    "Hours that a topic that has to be created keeps events; less than the inbox remembers them (14 days)",
  ),
  KAFKA_SSL: boolean(false).describe(
    "Whether brokers are spoken to over TLS, checked against the system's authorities",
  ),
  KAFKA_SASL_MECHANISM: oneOf(["none", "plain", "scram-sha-256", "scram-sha-512"], "none").describe(
    "How to sign in to the brokers",
  ),
  KAFKA_SASL_USERNAME: optionalText().describe("The user name for KAFKA_SASL_MECHANISM"),
  KAFKA_SASL_PASSWORD: optionalText().describe("The password for KAFKA_SASL_MECHANISM"),
});

/** A way to sign in without what it takes, and topics that could never take an event. */
export const eventsCheck: ConfigCheck = (config) => {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_REPLICATION: replicas, KAFKA_MIN_INSYNC_REPLICAS: least } = config;
  const faults: string[] = [];
  if (!Array.isArray(config["KAFKA_BROKERS"]) || config["KAFKA_BROKERS"].length === 0) return faults;
  if (
    mechanism !== undefined &&
    mechanism !== "none" &&
    !(config["KAFKA_SASL_USERNAME"] && config["KAFKA_SASL_PASSWORD"])
  )
    faults.push(saslFault(String(mechanism)));
  if (Number(least) > Number(replicas))
    faults.push("KAFKA_MIN_INSYNC_REPLICAS: expected no more than KAFKA_REPLICATION");
  return faults;
};

export function saslFault(mechanism: string): string {
  return `KAFKA_SASL_MECHANISM: ${mechanism} needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD`;
}

export type EventsConfig = ConfigOf<typeof eventsConfig>;
