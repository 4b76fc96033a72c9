import type { PollingTask } from "../runtime/polling-task.ts";
import type { ConsumerGroup } from "./consumer-group.ts";
import { deadEventResendTask } from "./dead-event-resending.ts";
import { eventMetricsTask } from "./event-metrics.ts";
import { inboxPruneTask } from "./inbox.ts";
import { LocalHandover, type LocalRoute } from "./local-handover.ts";
import { Relay } from "./outbox/relay.ts";
import { eventsChannel, everyTopic, growthPayload, onOutboxGrowth, topicsOfGrowth } from "./outbox/signals.ts";
import type { EventSink, OutboxRow, ServiceEventsSettings } from "./types.ts";

/** One service's connection to a bus: sends its outbox's events, and receives those of its consumer groups. */
export interface BusConnection extends EventSink {
  start(): Promise<void>;
  /** Finishes the batches in flight, in both directions, and refuses new ones. */
  stop(): Promise<void>;
  ready(): Promise<void>;
  /** What goes to consumers of this process instead of the bus. */
  readonly local?: LocalRoute;
}

/** How long wake-ups for a relay in another process are coalesced. */
const notifyAfterMs = 5;

/** The events of one service over either bus: the relay of its outbox, its consumer groups, and the upkeep of its tables. */
export class ServiceEvents {
  readonly #settings: ServiceEventsSettings;
  readonly #connection: BusConnection;
  readonly #relay: Relay;
  readonly #localTopics: ReadonlySet<string>;
  readonly #handover: LocalHandover | undefined;
  readonly #resendTask: PollingTask;
  readonly #tasks: readonly PollingTask[];
  #subscriptions: (() => void | Promise<void>)[] = [];
  #notifyTimer: NodeJS.Timeout | undefined;
  /** What the next NOTIFY says: topics of rows that are left to the relay. */
  readonly #unannounced = new Set<string>();

  constructor(settings: ServiceEventsSettings, groups: readonly ConsumerGroup[], connection: BusConnection) {
    const { db, logger } = settings;
    this.#settings = settings;
    this.#connection = connection;
    const route = connection.local;
    this.#localTopics = route?.topics ?? new Set();
    this.#relay = new Relay({ db, sink: connection, localTopics: this.#localTopics, logger });
    this.#handover =
      route && new LocalHandover({ db, route, logger, onRefused: (rows) => this.#announce(topicsOf(rows)) });
    this.#resendTask = deadEventResendTask(settings, groups);
    this.#tasks = [this.#resendTask, inboxPruneTask(db, logger), eventMetricsTask(settings, groups)];
  }

  /** Starts to consume and to send. An unreachable broker does not fail it: see `ready`. */
  async start(): Promise<void> {
    const { db } = this.#settings;
    await this.#connection.start();
    this.#subscriptions = [
      onOutboxGrowth(db, (rows) => this.#offer(rows)),
      await db.listen(eventsChannel(db.schema), (payload) => this.#onNotify(payload)),
    ];
    this.#relay.start();
    for (const task of this.#tasks) task.start();
  }

  /** Finishes the batches in flight; everything else stays in the outbox or on the bus. */
  async stop(): Promise<void> {
    await Promise.all([this.#connection.stop(), ...this.#tasks.map((task) => task.stop())]);
    await Promise.all([this.#relay.stop(), this.#handover?.stop()]);
    for (const unsubscribe of this.#subscriptions) await unsubscribe();
    await this.#notify();
  }

  /** @throws Outage while the bus cannot be reached. */
  ready(): Promise<void> {
    return this.#connection.ready();
  }

  /** Undefined: the connection was lost, and any notification may have been missed. */
  #onNotify(payload: string | undefined): void {
    const topics = payload === undefined ? [everyTopic] : topicsOfGrowth(payload);
    if (topics.length > 0) this.#relay.wake(topics);
    if (payload === undefined || topics.length === 0) this.#resendTask.wake();
  }

  #offer(committed: readonly OutboxRow[]): void {
    const rows = this.#handover?.offer(committed) ?? committed;
    if (rows.length === 0) this.#relay.skip(committed);
    else if (!this.#relay.offer(rows, committed)) {
      // What found no room here waits until it is old: its consumers have more than enough to do.
      this.#announce(topicsOf(rows).filter((topic) => !this.#localTopics.has(topic)));
    }
  }

  /** The active relay is mostly in this process; where it is not, one NOTIFY wakes it for all commits of some milliseconds. */
  #announce(topics: readonly string[]): void {
    if (topics.length === 0) return;
    if (this.#relay.isRelaying) {
      this.#relay.wake(topics);
      return;
    }
    for (const topic of topics) this.#unannounced.add(topic);
    this.#notifyTimer ??= setTimeout(() => void this.#notify(), notifyAfterMs);
  }

  async #notify(): Promise<void> {
    const { db, logger } = this.#settings;
    clearTimeout(this.#notifyTimer);
    this.#notifyTimer = undefined;
    if (this.#unannounced.size === 0) return;
    const payload = growthPayload(this.#unannounced);
    this.#unannounced.clear();
    try {
      await db.query("select pg_notify($1, $2)", [eventsChannel(db.schema), payload]);
    } catch (error) {
      logger.debug({ err: error }, "cannot notify the relay, which polls anyway");
    }
  }
}

function topicsOf(rows: readonly OutboxRow[]): string[] {
  return [...new Set(rows.map(({ topic }) => topic))];
}
