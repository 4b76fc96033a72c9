import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KafkaBroker, startKafka, startKafkaCluster } from "../../../scripts/peers/kafka.ts";
import { peerInstallLimitMs } from "../run/peer-install-limit.ts";
import { runServer } from "../run/run-server.ts";

let brokers: Promise<string> | undefined;

/** KAFKA_BROKERS, or the one Kafka of this jest run, started by whoever asks first. Keep apart by `ownTopics`. */
export async function testKafka(): Promise<string> {
  if (process.env["KAFKA_BROKERS"]) return process.env["KAFKA_BROKERS"];
  brokers ??= runServer("kafka", join(import.meta.dirname, "kafka-process.ts"), peerInstallLimitMs);
  return brokers;
}

/** What a bus is told so that it has Kafka, and topics and groups there, for itself. */
export function ownTopics(brokers: string): Record<string, string> {
  return {
    KAFKA_BROKERS: brokers,
    KAFKA_TOPIC_PREFIX: `test-${randomBytes(6).toString("hex")}-`,
    KAFKA_PARTITIONS: "3",
  };
}

/** A Kafka that a test may stop and start again; ends with the test's process. */
export async function ownKafka(): Promise<KafkaBroker & { dispose(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-kafka-"));
  const broker = await startKafka({ dataDir });
  const dispose = async () => {
    await broker.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return Object.assign(broker, { dispose });
}

/** Three brokers, any of which a test may stop and start again; they end with the test's process. */
export async function ownKafkaCluster(): Promise<{ brokers: KafkaBroker[]; dispose(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-kafka-"));
  const brokers = await startKafkaCluster({ dataDir });
  const dispose = async () => {
    // Each alone would wait for the others to take over what it leads.
    await Promise.all(brokers.map((broker) => broker.kill()));
    await rm(dataDir, { recursive: true, force: true });
  };
  return { brokers, dispose };
}
