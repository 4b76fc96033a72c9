/**
 * What an event costs in each client of Kafka: sent in requests of `events` each, one after the other, to twelve partitions, and read by
 * a group that commits four times a second. CPU of the client's process; one round after the other, the clients in turns.
 * node bench/kafka-clients.ts [--rounds=3] [--requests=2000] [--events=1,5,100]
 * The clients that are not ours are installed into a temporary folder.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import kafkajs from "kafkajs";
import { startKafka } from "../scripts/peers/kafka.ts";
import { patchIdleTimer } from "../services/platform/events/kafka/idle-timer.ts";
import { OffsetCommits } from "../services/platform/events/kafka/offset-commits.ts";
import { createLogger } from "../services/platform/telemetry/logger.ts";

const others = ["@platformatic/kafka@2.12.1"];
const clients = ["kafkajs", "@platformatic/kafka"] as const;
type ClientName = (typeof clients)[number];

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    requests: { type: "string", default: "2000" },
    events: { type: "string", default: "1,5,100" },
    // Of one round, in a process of its own.
    client: { type: "string" },
    brokers: { type: "string", default: "" },
    folder: { type: "string", default: "" },
  },
});
const requests = Number(options.requests);
const partitions = 12;
const commitMs = 250;

interface Client {
  send(events: readonly { key: Buffer; value: Buffer }[]): Promise<unknown>;
  close(): Promise<unknown>;
}
type Connect = (brokers: string[], topic: string, onEvent: () => void) => Promise<Client>;

const connectBy: Record<ClientName, Connect> = {
  // As services/platform/events/kafka/client.ts sets it up.
  kafkajs: async (brokers, topic, onEvent) => {
    patchIdleTimer();
    const kafka = new kafkajs.Kafka({ clientId: "bench", brokers, logLevel: kafkajs.logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic, numPartitions: partitions }] });
    await admin.disconnect();
    const createPartitioner = kafkajs.Partitioners.DefaultPartitioner;
    const producer = kafka.producer({ maxInFlightRequests: 1, createPartitioner });
    await producer.connect();
    const reader = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 1_000, heartbeatInterval: 2_000 });
    await reader.connect();
    await reader.subscribe({ topic, fromBeginning: true });
    const commits = new OffsetCommits(createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }));
    await reader.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1_000,
      eachBatch: async ({ batch, resolveOffset, commitOffsetsIfNecessary, uncommittedOffsets, heartbeat }) => {
        for (const _ of batch.messages) onEvent();
        resolveOffset(batch.lastOffset());
        await commits.resolved(() => commitOffsetsIfNecessary(uncommittedOffsets()));
        await heartbeat();
      },
    });
    return {
      send: (messages) => producer.sendBatch({ acks: -1, topicMessages: [{ topic, messages: [...messages] }] }),
      close: async () => {
        await commits.end();
        await Promise.all([reader.disconnect(), producer.disconnect()]);
      },
    };
  },
  "@platformatic/kafka": async (bootstrapBrokers, topic, onEvent) => {
    const { Admin, Consumer, Producer } = createRequire(join(options.folder, "package.json"))("@platformatic/kafka");
    const common = { clientId: "bench", bootstrapBrokers };
    const admin = new Admin(common);
    await admin.createTopics({ topics: [topic], partitions, replicas: 1 });
    await admin.close();
    const producer = new Producer(common);
    const reader = new Consumer({ ...common, groupId: topic, maxWaitTime: 1_000, autocommit: commitMs });
    const events = await reader.consume({ topics: [topic], mode: "committed", fallbackMode: "earliest" });
    events.on("data", onEvent);
    return {
      send: (messages) => producer.send({ acks: -1, messages: messages.map((message) => ({ topic, ...message })) }),
      close: async () => {
        await reader.close(true);
        await producer.close();
      },
    };
  },
};

/** One round: microseconds of CPU an event, events a second, and CPU of a second without events in milliseconds. */
async function round(name: ClientName, brokers: string[], perRequest: number) {
  let read = 0;
  const client = await connectBy[name](brokers, `bench-${Date.now()}`, () => {
    read += 1;
  });
  const value = Buffer.alloc(300, "x");
  const send = () =>
    client.send(Array.from({ length: perRequest }, () => ({ key: Buffer.from(String(Math.random())), value })));
  const allRead = async (wanted: number) => {
    while (read < wanted) await delay(5);
  };
  await send();
  await allRead(perRequest);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (let sent = 0; sent < requests; sent++) await send();
  await allRead((requests + 1) * perRequest);
  const { user, system } = process.cpuUsage(cpu);
  const events = requests * perRequest;
  const perSecond = (events * 1_000) / (performance.now() - startedAt);
  const idle = process.cpuUsage();
  await delay(3_000);
  const after = process.cpuUsage(idle);
  await client.close();
  return { cpuUs: (user + system) / events, perSecond, idleMs: (after.user + after.system) / 3_000 };
}

if (options.client) {
  const name = clients.find((each) => each === options.client);
  if (!name) throw new Error(`no such client: ${options.client}`);
  process.stdout.write(JSON.stringify(await round(name, options.brokers.split(","), Number(options.events))));
  process.exit();
}

const folder = await mkdtemp(join(tmpdir(), "postern-kafka-clients-"));
execFileSync("npm", ["install", "--no-audit", "--no-fund", `--prefix=${folder}`, ...others], { stdio: "ignore" });
const kafka = await startKafka({ dataDir: join(folder, "kafka") });
for (const events of options.events.split(",")) {
  for (let number = 1; number <= Number(options.rounds); number++) {
    for (const client of clients) {
      const own = [`--client=${client}`, `--brokers=${kafka.brokers}`, `--folder=${folder}`, `--events=${events}`];
      const output = execFileSync(process.execPath, [import.meta.filename, `--requests=${requests}`, ...own]);
      const { cpuUs, perSecond, idleMs }: Awaited<ReturnType<typeof round>> = JSON.parse(String(output));
      process.stdout.write(
        `${client}, ${events} a request: ${cpuUs.toFixed(0)} µs of CPU an event, ${Math.round(perSecond)}/s, idle ${idleMs.toFixed(1)} ms/s\n`,
      );
    }
  }
}
await kafka.stop();
await rm(folder, { recursive: true, force: true });
