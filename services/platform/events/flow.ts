import { messageOf } from "../errors.ts";
import type { PollingWork } from "../runtime/polling-work.ts";
import type { Group } from "./group.ts";
import { inboxPruning } from "./inbox.ts";
import { measuring } from "./measuring.ts";
import { type Outlet, Relay } from "./relay.ts";
import { resending } from "./resending.ts";
import type { Flow, FlowSettings } from "./types.ts";
import { eventsChannel, onOutboxGrowth } from "./wake.ts";

/** What a bus gives to one service: somewhere to send to, and events for its groups. */
export interface Line extends Outlet {
  start(): Promise<void>;
  /** Finishes the batches in hand, both ways, and refuses any more. */
  stop(): Promise<void>;
  ready(): Promise<void>;
}

/** How long calls for the relay of another process gather. */
const notifyAfterMs = 5;

/** The events of one service, over whichever line: the relay of its outbox, its groups, and what keeps its tables in order. */
export class ServiceFlow implements Flow {
  readonly #settings: FlowSettings;
  readonly #line: Line;
  readonly #relay: Relay;
  readonly #resending: PollingWork;
  readonly #works: readonly PollingWork[];
  #endings: (() => void | Promise<void>)[] = [];
  #notifyTimer: NodeJS.Timeout | undefined;

  constructor(settings: FlowSettings, groups: readonly Group[], line: Line) {
    const { db, logger } = settings;
    this.#settings = settings;
    this.#line = line;
    this.#relay = new Relay(db, line, logger);
    this.#resending = resending(settings, groups);
    this.#works = [this.#resending, inboxPruning(db, logger), measuring(settings, groups)];
  }

  async start(): Promise<void> {
    const { db } = this.#settings;
    await this.#line.start();
    this.#endings = [
      onOutboxGrowth(db.schema, () => this.#callRelay()),
      await db.listen(eventsChannel(db.schema), (payload) => this.#onNotify(payload)),
    ];
    this.#relay.start();
    for (const work of this.#works) work.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#line.stop(), ...this.#works.map((work) => work.stop())]);
    await this.#relay.stop();
    for (const end of this.#endings) await end();
    clearTimeout(this.#notifyTimer);
  }

  ready(): Promise<void> {
    return this.#line.ready();
  }

  /** Undefined stands for whatever may have been missed. */
  #onNotify(payload: string | undefined): void {
    if (payload !== "dead") this.#relay.wake();
    if (payload !== "outbox") this.#resending.wake();
  }

  /** The relay is mostly in this process; where it is not, one NOTIFY calls it for all commits of some milliseconds. */
  #callRelay(): void {
    if (this.#relay.isRelaying) this.#relay.wake();
    else this.#notifyTimer ??= setTimeout(() => void this.#notify(), notifyAfterMs);
  }

  async #notify(): Promise<void> {
    const { db, logger } = this.#settings;
    this.#notifyTimer = undefined;
    try {
      await db.query("select pg_notify($1, 'outbox')", [eventsChannel(db.schema)]);
    } catch (error) {
      logger.debug({ err: error }, `cannot call the relay, which looks by itself every second: ${messageOf(error)}`);
    }
  }
}
