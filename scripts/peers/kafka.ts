import { randomBytes } from "node:crypto";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AttachedProcess } from "./attached-process.ts";
import { runCommand } from "./command.ts";
import { freePorts } from "./free-ports.ts";
import { kafkaClassPath } from "./kafka-jars.ts";

const startLimitMs = 120_000;
const jvm = ["-Xms64m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"];
const logging = [
  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
  "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info",
  "-Dorg.slf4j.simpleLogger.showDateTime=true",
];

/** A broker on this machine, alone: controller and broker in one process (KRaft). */
export interface KafkaBroker {
  /** As KAFKA_BROKERS takes it. */
  readonly brokers: string;
  /** After `stop` or `kill`: again with the same data, on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * Starts Apache Kafka on ports of the system's choice, over what is under `dataDir` from an earlier start, if anything.
 * It ends with this process, however that ends.
 * @throws Error saying what is missing and how to get it.
 */
export async function startKafka({ dataDir }: { dataDir: string }): Promise<KafkaBroker> {
  const classPath = await kafkaClassPath();
  const [brokerPort = 0, controllerPort = 0] = await freePorts(2);
  await mkdir(dataDir, { recursive: true });
  const properties = join(dataDir, "server.properties");
  await writeFile(properties, serverProperties(dataDir, brokerPort, controllerPort));
  await format(classPath, dataDir, properties);
  const command = ["java", ...jvm, ...logging, "-cp", classPath, "kafka.Kafka", properties];
  const launch = async () => {
    const started = await AttachedProcess.start("Kafka", join(dataDir, "kafka.log"), command);
    await started.ready((log) => log.includes("Kafka Server started"), startLimitMs);
    return started;
  };
  let running = await launch();
  return {
    brokers: `127.0.0.1:${brokerPort}`,
    start: async () => {
      running = await launch();
    },
    stop: () => running.stop(),
    kill: () => running.kill(),
  };
}

/** Gives a new data folder its cluster id and first metadata. */
async function format(classPath: string, dataDir: string, properties: string): Promise<void> {
  const isFormatted = await access(join(dataDir, "log", "meta.properties")).then(
    () => true,
    () => false,
  );
  if (isFormatted) return;
  // Kafka's form of a UUID: 22 characters of base64url, not beginning with what a command line takes for an option.
  const clusterId = `P${randomBytes(16).toString("base64url").slice(1)}`;
  const args = ["format", "--cluster-id", clusterId, "--config", properties];
  await runCommand("java", [...jvm, "-cp", classPath, "kafka.tools.StorageTool", ...args], startLimitMs);
}

/** Sized for a laptop: few threads, small segments and buffers, every internal topic with one replica. */
function serverProperties(dataDir: string, brokerPort: number, controllerPort: number): string {
  const properties = {
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.quorum.voters": `1@127.0.0.1:${controllerPort}`,
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    listeners: `PLAINTEXT://127.0.0.1:${brokerPort},CONTROLLER://127.0.0.1:${controllerPort}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${brokerPort}`,
    "log.dirs": join(dataDir, "log"),
    "log.segment.bytes": 16 * 1024 * 1024,
    "log.index.size.max.bytes": 1024 * 1024,
    "log.cleaner.dedupe.buffer.size": 4 * 1024 * 1024,
    "num.network.threads": 2,
    "num.io.threads": 4,
    "background.threads": 2,
    // After a kill, a new start waits for the old session to end.
    "broker.session.timeout.ms": 3_000,
    "broker.heartbeat.interval.ms": 500,
    "auto.create.topics.enable": false,
    "group.initial.rebalance.delay.ms": 0,
    "offsets.topic.num.partitions": 4,
    "offsets.topic.replication.factor": 1,
    "transaction.state.log.num.partitions": 4,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "share.coordinator.state.topic.num.partitions": 1,
    "share.coordinator.state.topic.replication.factor": 1,
    "share.coordinator.state.topic.min.isr": 1,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
