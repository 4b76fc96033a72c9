import type { Database } from "../db/types.ts";
import type { Logger } from "../telemetry/logger.ts";
import { RowsInFlight } from "./outbox/rows-in-flight.ts";
import type { EventSink, OutboxRow } from "./types.ts";

/** Topics whose events a process hands to consumers of its own, and these. The topics are known once the bus has started. */
export interface LocalRoute {
  readonly topics: ReadonlySet<string>;
  readonly consumers: EventSink;
}

interface LocalHandoverSettings {
  readonly db: Database;
  readonly route: LocalRoute;
  readonly logger: Logger;
  /** Rows were not taken, since consumers have stopped: they are in the outbox, and nobody hands them over. */
  onRefused(rows: readonly OutboxRow[]): void;
}

/**
 * Hands events to the consumers of the process that has committed them, without a broker. Their rows stay in the outbox until they have taken
 * effect. What finds no room, and what a process leaves that ends, goes by the bus like all else.
 */
export class LocalHandover {
  readonly #topics: ReadonlySet<string>;
  readonly #inFlight: RowsInFlight;
  #isStopped = false;

  constructor({ db, route: { topics, consumers }, logger, onRefused }: LocalHandoverSettings) {
    this.#topics = topics;
    this.#inFlight = new RowsInFlight({
      db,
      sink: consumers,
      logger,
      onRefused: (rows) => {
        this.#inFlight.release(rows.map(({ rowId }) => rowId));
        onRefused(rows);
      },
    });
  }

  /** Takes what it can of rows that this process has just committed. @returns the others, which are for the bus */
  offer(committed: readonly OutboxRow[]): readonly OutboxRow[] {
    if (this.#topics.size === 0 || this.#inFlight.isFull || this.#isStopped) return committed;
    const rows = committed.filter(({ topic }) => this.#topics.has(topic));
    if (rows.length === 0) return committed;
    this.#inFlight.add(rows);
    this.#inFlight.send(rows);
    return rows.length === committed.length ? [] : committed.filter(({ topic }) => !this.#topics.has(topic));
  }

  /** Waits for what was handed over, and deletes what has taken effect. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#inFlight.drain();
  }
}
