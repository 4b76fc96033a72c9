import { setTimeout as delay } from "node:timers/promises";
import kafkajs, { type Admin, type Kafka, type SASLOptions } from "kafkajs";
import { ConfigurationError } from "../../errors.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { type EventsConfig, saslFault } from "../config.ts";
import type { EncodedEvent } from "../types.ts";
import { heartbeatMs, processBatch } from "./batches.ts";
import { patchIdleTimer } from "./idle-timer.ts";
import { kafkaLimits, leaveWithin } from "./limits.ts";
import { type KafkaMember, watchMember } from "./member.ts";
import { OffsetCommits } from "./offset-commits.ts";
import { brokerOutage } from "./outage.ts";
import { keyPartitioner } from "./partitioner.ts";
import { toRecord } from "./records.ts";

// With member.ts the one place that knows kafkajs. Reconnecting is not left to it: a sender or reader that fails once is thrown away, and
// its owner (sender.ts, reader.ts) makes another. What kafkajs says of itself is for debugging.

patchIdleTimer();

const quickRetry = { initialRetryTime: 100, maxRetryTime: 2_000, retries: 4 };
const sessionTimeoutMs = 10_000;
/**
 * At least, and as many as a member is likely to have: what they bring is gathered into one transaction. kafkajs calls as many functions for
 * each fetch that brings something; with 1,000 they took a twenty-fifth of the forwarder's CPU.
 */
const partitionsAtOnce = 64;

/** Puts events on topics; any failure of `send`, an Outage, is the end of it. */
export interface KafkaProducer {
  /** One request to each broker; resolves once all in-sync replicas have them. */
  send(events: readonly EncodedEvent[]): Promise<void>;
  close(): Promise<void>;
}

interface Membership {
  /** Without the installation's prefix. */
  readonly topic: string;
  readonly group: string;
  /** Offsets are committed some time after it resolves, together with those of other partitions; if it rejects, the same events come again. Partitions overlap. */
  process(events: readonly EncodedEvent[]): Promise<void>;
}

/** One service's way to the brokers. */
export class KafkaClient {
  readonly #kafka: Kafka;
  readonly #config: EventsConfig;
  readonly #logger: Logger;
  readonly #knownTopics = new Set<string>();

  /** @throws ConfigurationError if a way to sign in is chosen without the name and password for it. */
  constructor(config: EventsConfig, clientId: string, logger: Logger) {
    this.#config = config;
    this.#logger = logger;
    this.#kafka = new kafkajs.Kafka({
      clientId,
      brokers: config.KAFKA_BROKERS,
      ssl: config.KAFKA_SSL,
      sasl: saslOf(config),
      connectionTimeout: 3_000,
      authenticationTimeout: 10_000,
      requestTimeout: 15_000,
      retry: quickRetry,
      logLevel: kafkajs.logLevel.WARN,
      logCreator:
        () =>
        ({ namespace, log: { message, timestamp: _, ...details } }) =>
          logger.debug({ ...details, kafkajs: namespace }, `kafkajs: ${message}`),
    });
  }

  /** Those that are asked first, as they were given. */
  get brokers(): readonly string[] {
    return this.#config.KAFKA_BROKERS;
  }

  /** Creates topics that are not there; those that are stay as they are. @returns whether any may be new */
  async ensureTopics(names: readonly string[]): Promise<boolean> {
    const missing = names.filter((name) => !this.#knownTopics.has(name));
    if (missing.length === 0) return false;
    const { KAFKA_PARTITIONS, KAFKA_REPLICATION, KAFKA_RETENTION_H, KAFKA_MIN_INSYNC_REPLICAS } = this.#config;
    const configEntries = [
      { name: "retention.ms", value: String(KAFKA_RETENTION_H * 3_600_000) },
      { name: "min.insync.replicas", value: String(KAFKA_MIN_INSYNC_REPLICAS) },
    ];
    const shape = { numPartitions: KAFKA_PARTITIONS, replicationFactor: KAFKA_REPLICATION, configEntries };
    const topics = missing.map((name) => ({ topic: this.#prefixed(name), ...shape }));
    await this.#administer((admin) => retryWhileUnknown(() => admin.createTopics({ topics })));
    for (const name of missing) this.#knownTopics.add(name);
    return true;
  }

  /** Those of these topics that the brokers do not have. */
  async missingTopics(names: readonly string[]): Promise<string[]> {
    const present = new Set(await this.#administer((admin) => admin.listTopics()));
    return names.filter((name) => !present.has(this.#prefixed(name)));
  }

  async #administer<T>(run: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      return await run(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /**
   * Acknowledged by all in-sync replicas, one request at a time, so that the order of each key holds. Nothing is repeated in it:
   * kafkajs leaves out of a repetition whatever partition has moved to a broker that has answered already, and reports success.
   * @throws Outage
   */
  async producer(): Promise<KafkaProducer> {
    const producer = this.#kafka.producer({
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: keyPartitioner,
      retry: { ...quickRetry, retries: 0 },
    });
    // kafkajs takes a connection for a broker's though nothing ever came by it.
    let hasAnswered = false;
    const forget = producer.on(producer.events.REQUEST, () => {
      hasAnswered = true;
    });
    await producer.connect().catch((cause: unknown) => this.#refuse(cause));
    forget();
    if (!hasAnswered) {
      await leaveWithin(kafkaLimits, producer.disconnect());
      this.#refuse(new Error("it answers nothing of Kafka's"));
    }
    return {
      send: async (events) => {
        try {
          const mayBeNew = await this.ensureTopics([...new Set(events.map((event) => event.topic))]);
          const send = () => producer.sendBatch({ acks: -1, topicMessages: this.#byTopic(events) });
          await (mayBeNew ? retryWhileUnknown(send) : send());
        } catch (error) {
          // A topic may have been deleted meanwhile: the next producer makes it again.
          this.#knownTopics.clear();
          this.#refuse(error);
        }
      },
      close: () => producer.disconnect(),
    };
  }

  /** Joins a group and reads a topic from where the group is, or from the topic's beginning. @throws Outage */
  join(membership: Membership): Promise<KafkaMember> {
    return this.#join(membership).catch((cause: unknown) => this.#refuse(cause));
  }

  async #join({ topic, group, process }: Membership): Promise<KafkaMember> {
    await this.ensureTopics([topic]);
    const member = this.#kafka.consumer({
      groupId: this.#prefixed(group),
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 2 * sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      // An idle topic is asked for as often as the group has to be told that its member lives.
      maxWaitTimeInMs: heartbeatMs,
      maxBytes: 5 * 1024 * 1024,
      allowAutoTopicCreation: false,
      retry: { ...quickRetry, restartOnFailure: async () => false },
    });
    const watch = watchMember(member);
    const commits = new OffsetCommits(this.#logger);
    const stop = async () => {
      watch.end();
      await commits.end();
      await member.disconnect();
    };
    try {
      await member.connect();
      await retryWhileUnknown(() => member.subscribe({ topic: this.#prefixed(topic), fromBeginning: true }));
      const running = member.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: Math.max(partitionsAtOnce, this.#config.KAFKA_PARTITIONS),
        eachBatch: (payload) => processBatch(payload, { topic, commits, process }),
      });
      // A join that is repeated again and again may take minutes.
      await Promise.race([running, watch.failed.then((error) => Promise.reject(error))]);
    } catch (error) {
      await leaveWithin(kafkaLimits, stop());
      throw error;
    }
    return {
      failed: watch.failed,
      get isJoined() {
        return watch.isJoined;
      },
      stop,
    };
  }

  #refuse(cause: unknown): never {
    throw brokerOutage(this.brokers, cause);
  }

  #prefixed(name: string): string {
    return `${this.#config.KAFKA_TOPIC_PREFIX}${name}`;
  }

  #byTopic(events: readonly EncodedEvent[]) {
    const topics = Map.groupBy(events, (event) => event.topic);
    return [...topics].map(([topic, part]) => ({ topic: this.#prefixed(topic), messages: part.map(toRecord) }));
  }
}

const unknownTypes = ["UNKNOWN_TOPIC_OR_PARTITION", "LEADER_NOT_AVAILABLE", "NOT_LEADER_FOR_PARTITION"];

/** Brokers answer for some moments after a topic was made that there is no such topic, or that they do not lead it. */
async function retryWhileUnknown<T>(ask: () => Promise<T>): Promise<T> {
  for (let patienceMs = 2_000; ; patienceMs -= 100) {
    try {
      return await ask();
    } catch (error) {
      const cause = error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded ? error.cause : error;
      const isUnknown = cause instanceof kafkajs.KafkaJSProtocolError && unknownTypes.includes(cause.type);
      if (!isUnknown || patienceMs <= 0) throw error;
    }
    await delay(100);
  }
}

function saslOf(config: EventsConfig): SASLOptions | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  if (mechanism === "none") return undefined;
  if (!username || !password) {
    throw new ConfigurationError([saslFault(mechanism)]);
  }
  return { mechanism, username, password };
}
