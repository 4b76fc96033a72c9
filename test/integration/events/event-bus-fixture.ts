import { create } from "@bufbuild/protobuf";
import { beforeAll } from "@jest/globals";
import type { MailReleased } from "../../../proto/gen/postern/mailbox/v1/mail_released_pb.js";
import { topics } from "../../../proto/topics.ts";
import { loadConfig } from "../../../services/platform/config.ts";
import { recordSet } from "../../../services/platform/db/record-set.ts";
import type { Database, Transaction } from "../../../services/platform/db/types.ts";
import { Outage } from "../../../services/platform/errors.ts";
import { createEventBus } from "../../../services/platform/events/bus.ts";
import { eventsConfig } from "../../../services/platform/events/config.ts";
import { event, publish } from "../../../services/platform/events/outbox/outbox.ts";
import type { ServiceEvents } from "../../../services/platform/events/service-events.ts";
import type { Consumer, EventBus, IncomingEvent } from "../../../services/platform/events/types.ts";
import { createMetrics, type Metrics } from "../../../services/platform/telemetry/metrics.ts";
import { eventually } from "../../support/eventually.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../support/peers/database.ts";
import { ownTopics, testKafka } from "../../support/peers/kafka.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

/** Every test of meaning runs on both. */
export const buses = ["embedded", "Kafka"] as const;
export type BusKind = (typeof buses)[number];

/** Before the tests of a bus. The first start of Kafka on a machine fetches it. */
export function startPeersOf(kind: BusKind): void {
  beforeAll(async () => void (kind === "Kafka" && (await testKafka())), peerInstallLimitMs);
}

export const topic = topics.mailReleased;
export type Released = IncomingEvent<MailReleased>;

/** An event whose key is `key`; `step` is what it says. */
export function released(key: string, step: string) {
  return event(topic, create(topic.schema, { emailId: key, rawId: step }));
}

const effects = recordSet({ key: "text", step: "text" });

/** Writes down what it was given, in order. */
export async function note(tx: Transaction, events: readonly Released[], group = "one"): Promise<void> {
  await tx.query(`insert into effect (consumer, key, step) select $1, * from ${effects.from("effect", 2)}`, [
    group,
    ...effects.params(events.map(({ message }) => ({ key: message.emailId, step: message.rawId }))),
  ]);
}

/** The database as a relay sees it that cannot delete what the bus has taken, such as one that is killed before. */
export function failingDeletions(db: Database, fails: () => boolean = () => true): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name !== "query") return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return (sql: string, ...rest: [unknown[]]) =>
        sql.startsWith("delete from outbox") && fails()
          ? Promise.reject(new Outage("database"))
          : target.query(sql, ...rest);
    },
  });
}

interface FixtureOptions {
  /** Default: those of this run. */
  brokers?: string;
  /** What the listener is called, where it is to stand for a service that consumes a topic. */
  listener?: string;
}

export interface StartOptions {
  /** Another connection to the source's database, as a further process has, or one with faults. */
  source?: Database;
  /** What the listener is called in this replica. */
  listener?: string;
  /** Whether it comes to be ready: without a broker it does not. */
  becomesReady?: boolean;
}

/** Two services with a database each: one that has something to say, one that listens. */
export class EventBusFixture {
  readonly source: TestDatabase;
  readonly sink: TestDatabase;
  readonly metrics: Metrics = createMetrics();
  readonly #environment: Record<string, string>;
  readonly #listener: string;
  readonly #running: { bus: EventBus; events: ServiceEvents[] }[] = [];

  private constructor(source: TestDatabase, sink: TestDatabase, environment: Record<string, string>, listener: string) {
    this.source = source;
    this.sink = sink;
    this.#environment = environment;
    this.#listener = listener;
  }

  static async open(kind: BusKind, { brokers, listener = "sink" }: FixtureOptions = {}): Promise<EventBusFixture> {
    const environment = kind === "Kafka" ? ownTopics(brokers ?? (await testKafka())) : {};
    const [source, sink] = await Promise.all([
      testDatabase({ schema: "source" }),
      testDatabase({ schema: "sink", poolSize: 5 }),
    ]);
    await sink.query("create table effect (id bigserial primary key, consumer text, key text, step text)");
    return new EventBusFixture(source, sink, environment, listener);
  }

  /** Runs both services as one more replica, and waits until they are ready. */
  async start(
    consumers: readonly Consumer[],
    { source = this.source, listener = this.#listener, becomesReady = true }: StartOptions = {},
  ): Promise<void> {
    const bus = await createEventBus(loadConfig(eventsConfig, this.#environment), silentLogger);
    const common = { logger: silentLogger, metrics: this.metrics };
    const events = [
      bus.addService({ name: "source", db: source, consumers: [], ...common }),
      bus.addService({ name: listener, db: this.sink, consumers, ...common }),
    ];
    await bus.start();
    for (const service of events) await service.start();
    this.#running.push({ bus, events });
    if (!becomesReady) return;
    await eventually(async () => void (await Promise.all(events.map((service) => service.ready()))));
  }

  /** Stops the replica that was started first. */
  async stop(): Promise<void> {
    const replica = this.#running.shift();
    for (const service of replica?.events ?? []) await service.stop();
    await replica?.bus.stop();
  }

  /** Stops the listener of the replica that was started first, as a process does whose services stop one after the other. */
  async stopListener(): Promise<void> {
    await this.#running[0]?.events.pop()?.stop();
  }

  async close(): Promise<void> {
    while (this.#running.length > 0) await this.stop();
    await Promise.all([this.source.dispose(), this.sink.dispose()]);
  }

  /** Says steps of one key, in one transaction. */
  async say(key: string, ...steps: string[]): Promise<void> {
    await this.source.tx((tx) =>
      publish(
        tx,
        steps.map((step) => released(key, step)),
      ),
    );
  }

  /** The steps that took effect, in order. */
  async effects({ key, group = "one" }: { key?: string; group?: string } = {}): Promise<string[]> {
    const { rows } = await this.sink.query<{ step: string }>(
      "select step from effect where consumer = $1 and key = coalesce($2, key) order by id",
      [group, key ?? null],
    );
    return rows.map((row) => row.step);
  }

  /** How many events wait in the outbox. */
  async waiting(): Promise<number> {
    const { rows } = await this.source.query<{ count: number }>("select count(*) from outbox");
    return rows[0]?.count ?? 0;
  }
}
