import { setTimeout as delay } from "node:timers/promises";
import { AutoResetEvent } from "../../concurrency/auto-reset-event.ts";
import { OutageLog } from "../../concurrency/outage-log.ts";
import { sleep, throughOutages } from "../../concurrency/retry.ts";
import { spacingAfter } from "../../concurrency/spacing.ts";
import type { Database } from "../../db/types.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { EventSink, OutboxRow } from "../types.ts";
import { OutboxRows, readLimit } from "./rows.ts";
import { everyTopic } from "./signals.ts";

/** Behind every wake-up that may be lost, but for rows of local topics, which are read once they are old. */
const pollMs = 1_000;
/** Under load, reads begin up to this far apart. An event that comes alone does not wait. */
const spacing = { times: 3, atMostMs: 50 };
const backoff = { firstMs: 100, maxMs: 2_000 };

interface RelaySettings {
  readonly db: Database;
  readonly sink: EventSink;
  /** See OutboxRows. */
  readonly localTopics: ReadonlySet<string>;
  readonly logger: Logger;
}

/**
 * Sends what lies in a schema's outbox to the bus, oldest first, and deletes it once taken. One relay per schema sends,
 * however many replicas there are: the others wait for its lock.
 */
export class Relay {
  readonly #db: Database;
  readonly #outage: OutageLog;
  readonly #rows: OutboxRows;
  readonly #wakeUp = new AutoResetEvent();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** Aborted when the lock is lost. */
  #held: AbortSignal | undefined;
  /** Topics of which there may be rows that nobody hands over. */
  #leftToRelay = new Set<string>();

  constructor({ db, sink, localTopics, logger }: RelaySettings) {
    this.#db = db;
    this.#outage = new OutageLog({
      logger,
      lost: "outbox relay cannot publish, retrying",
      back: "outbox relay recovered",
    });
    this.#rows = new OutboxRows({ db, sink, localTopics, logger, onRoom: () => this.wake() });
  }

  /** Whether it is this relay, and not one in another process, that sends for the schema. */
  get isRelaying(): boolean {
    return this.#held?.aborted === false;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** There may be new rows. @param leftToRelay topics of rows that no process hands over */
  wake(leftToRelay: Iterable<string> = []): void {
    for (const topic of leftToRelay) this.#leftToRelay.add(topic);
    this.#wakeUp.set();
  }

  /** Sends rows that this process has just committed. False where they have to be read. @param committed what was published with them */
  offer(rows: readonly OutboxRow[], committed: readonly OutboxRow[]): boolean {
    const isTaken = this.isRelaying && this.#rows.take(rows, committed);
    if (isTaken) this.#rows.send(rows);
    return isTaken;
  }

  /** Of what this process has just committed, nothing is to be sent. */
  skip(committed: readonly OutboxRow[]): void {
    if (this.isRelaying) this.#rows.skip(committed);
  }

  /** Waits for what is being sent, deletes what was taken, and lets another relay have the lock. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#rows.drain();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#db.withLock("outbox", (held) => this.#relay(held), { signal, pollMs });
      } catch (error) {
        if (signal.aborted) return;
        this.#outage.met(error);
        await sleep(pollMs, signal).catch(() => undefined);
      }
    }
  }

  async #relay(held: AbortSignal): Promise<void> {
    this.#rows.putBack();
    this.#held = held;
    // Whoever had the lock before may have ended.
    this.#leftToRelay.add(everyTopic);
    try {
      while (!held.aborted) {
        const isMore = !this.#rows.isFull && (await this.#step(held));
        if (!isMore) await this.#wakeUp.wait(pollMs, held);
      }
    } finally {
      this.#held = undefined;
      // Before the lock is let go.
      if (this.#stopping.signal.aborted) await this.#rows.drain();
    }
  }

  /** Reads and hands over once; true when there is more to read. */
  async #step(held: AbortSignal): Promise<boolean> {
    const startedAt = performance.now();
    const leftToRelay = this.#leftToRelay;
    this.#leftToRelay = new Set();
    const rows = await throughOutages(() => this.#rows.read(leftToRelay), {
      signal: held,
      backoff,
      onOutage: (error) => this.#outage.met(error),
      onRecovery: () => undefined,
    });
    this.#outage.over();
    if (rows.length > 0) this.#rows.send(rows);
    if (rows.length === readLimit) for (const topic of leftToRelay) this.#leftToRelay.add(topic);
    const tookMs = performance.now() - startedAt;
    if (rows.length < readLimit) await delay(Math.max(0, spacingAfter(tookMs, spacing) - tookMs));
    return rows.length === readLimit;
  }
}
