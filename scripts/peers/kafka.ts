import { randomBytes } from "node:crypto";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AttachedProcess } from "./attached-process.ts";
import { runCommand } from "./command.ts";
import { freePorts } from "./free-ports.ts";
import { kafkaClassPath } from "./kafka-jars.ts";

const startLimitMs = 120_000;
const jvm = ["-Xms64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"];
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
  /** Leaves its connections open, and answers nothing. @returns what has it go on, to be called before it is stopped */
  hang(): () => void;
}

/** One of the brokers of a cluster. */
interface Node {
  readonly id: number;
  readonly dataDir: string;
  readonly brokerPort: number;
  readonly controllerPort: number;
}

/**
 * Starts Apache Kafka on ports of the system's choice, over what is under `dataDir` from an earlier start, if anything.
 * It ends with this process, however that ends.
 * @throws Error saying what is missing and how to get it.
 */
export async function startKafka({ dataDir }: { dataDir: string }): Promise<KafkaBroker> {
  const [broker] = await startNodes([dataDir]);
  if (!broker) throw new Error("no broker was started");
  return broker;
}

/** Three brokers, each with a controller, that keep a copy each of what all of them need. */
export function startKafkaCluster({ dataDir }: { dataDir: string }): Promise<KafkaBroker[]> {
  return startNodes([1, 2, 3].map((id) => join(dataDir, String(id))));
}

async function startNodes(dataDirs: readonly string[]): Promise<KafkaBroker[]> {
  const classPath = await kafkaClassPath();
  const ports = await freePorts(2 * dataDirs.length);
  const nodes = dataDirs.map((dataDir, index): Node => {
    const [brokerPort = 0, controllerPort = 0] = ports.slice(2 * index);
    return { id: index + 1, dataDir, brokerPort, controllerPort };
  });
  // Kafka's form of a UUID: 22 characters of base64url, not beginning with what a command line takes for an option.
  const clusterId = `P${randomBytes(16).toString("base64url").slice(1)}`;
  return Promise.all(nodes.map((node) => startNode(node, nodes, classPath, clusterId)));
}

async function startNode(
  node: Node,
  nodes: readonly Node[],
  classPath: string,
  clusterId: string,
): Promise<KafkaBroker> {
  const { dataDir, brokerPort } = node;
  await mkdir(dataDir, { recursive: true });
  const properties = join(dataDir, "server.properties");
  await writeFile(properties, serverProperties(node, nodes));
  await format(classPath, dataDir, properties, clusterId);
  const heap = nodes.length > 1 ? "-Xmx256m" : "-Xmx512m";
  const command = ["java", heap, ...jvm, ...logging, "-cp", classPath, "kafka.Kafka", properties];
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
    hang: () => {
      const { pid } = running;
      process.kill(-pid, "SIGSTOP");
      return () => void process.kill(-pid, "SIGCONT");
    },
  };
}

/** Gives a new data folder its cluster id and first metadata. */
async function format(classPath: string, dataDir: string, properties: string, clusterId: string): Promise<void> {
  const isFormatted = await access(join(dataDir, "log", "meta.properties")).then(
    () => true,
    () => false,
  );
  if (isFormatted) return;
  const args = ["format", "--cluster-id", clusterId, "--config", properties];
  await runCommand("java", [...jvm, "-cp", classPath, "kafka.tools.StorageTool", ...args], startLimitMs);
}

/** Sized for a laptop: few threads, small segments and buffers, every internal topic with a replica on each broker. */
function serverProperties({ id, dataDir, brokerPort, controllerPort }: Node, nodes: readonly Node[]): string {
  const replicas = nodes.length;
  const minInSync = Math.min(2, replicas);
  const properties = {
    "process.roles": "broker,controller",
    "node.id": id,
    "controller.quorum.voters": nodes.map((node) => `${node.id}@127.0.0.1:${node.controllerPort}`).join(","),
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
    "offsets.topic.replication.factor": replicas,
    "min.insync.replicas": minInSync,
    "transaction.state.log.num.partitions": 4,
    "transaction.state.log.replication.factor": replicas,
    "transaction.state.log.min.isr": minInSync,
    "share.coordinator.state.topic.num.partitions": 1,
    "share.coordinator.state.topic.replication.factor": replicas,
    "share.coordinator.state.topic.min.isr": minInSync,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
