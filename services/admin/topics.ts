import { allTopics } from "../../proto/topics.ts";
import { loadConfig } from "../platform/config.ts";
import { messageOf, Outage } from "../platform/errors.ts";
import { eventsConfig } from "../platform/events/config.ts";
import { KafkaClient } from "../platform/events/kafka/client.ts";
import { createLogger } from "../platform/telemetry/logger.ts";
import type { Command } from "./command.ts";
import { table } from "./table.ts";

export const topics: Command = {
  name: "topics",
  synopsis: "",
  sentence:
    "Makes the topics that Kafka does not have yet, by the KAFKA_ variables; those that are there stay as they are.",
  words: { min: 0, max: 0 },
  async run({ environment }) {
    const config = loadConfig(eventsConfig, environment);
    if (config.KAFKA_BROKERS.length === 0) return { json: [], lines: ["The embedded bus needs no topics."] };
    const kafka = new KafkaClient(config, "postern.topics", createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }));
    const names = allTopics.map((topic) => topic.name);
    const missing = await reached(kafka.missingTopics(names));
    await reached(kafka.ensureTopics(missing));
    const { KAFKA_PARTITIONS: partitions, KAFKA_REPLICATION: replication, KAFKA_RETENTION_H: retentionH } = config;
    const shape = `${partitions} partitions, ${replication} replicas, kept ${retentionH} h`;
    const made = names.map((name) => ({ topic: `${config.KAFKA_TOPIC_PREFIX}${name}`, isNew: missing.includes(name) }));
    return { json: made, lines: table(made.map(({ topic, isNew }) => [topic, isNew ? `made: ${shape}` : "there"])) };
  },
};

/** Brokers that cannot be reached, or refuse, are an outage: the command may be tried again. */
function reached<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((cause: unknown) => {
    throw new Outage("Kafka", { cause, operator: `Kafka: ${messageOf(cause)}` });
  });
}
