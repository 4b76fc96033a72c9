import type { Database } from "../db/types.ts";
import { PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type EventSink, OutboxRows, readLimit } from "./outbox-rows.ts";
import type { OutboxRow } from "./outbox-signals.ts";

/** Topics whose events a process hands to consumers of its own, and these. */
export interface LocalRoute {
  readonly topics: ReadonlySet<string>;
  readonly consumers: EventSink;
}

interface LocalHandoverSettings {
  readonly db: Database;
  readonly route: LocalRoute;
  readonly logger: Logger;
  /** Whether it is this process that reads what others have left. One at a time does; that two do for a moment is harmless. */
  isReader(): boolean;
}

/** Rows are left to the process that has committed them for so long. */
const leftAfterMs = 5_000;
const pollMs = 2_000;

/**
 * Hands events to the consumers of the process that has committed them, without a broker. Their rows stay in the outbox until they have taken
 * effect; those whose process ended before, or had too much in flight, are read and handed over later.
 */
export class LocalHandover {
  readonly task: PollingTask;
  readonly #topics: ReadonlySet<string>;
  readonly #rows: OutboxRows;

  constructor({ db, route: { topics, consumers }, logger, isReader }: LocalHandoverSettings) {
    this.#topics = topics;
    const scope = { only: topics, olderThanMs: leftAfterMs };
    this.#rows = new OutboxRows({ db, scope, sink: consumers, logger, onRoom: () => this.task.wake() });
    this.task = new PollingTask({
      name: "outbox-leftovers",
      intervalMs: pollMs,
      logger,
      run: async () => topics.size > 0 && isReader() && this.#handOverLeft(),
    });
  }

  /** Whether events of a topic are to be offered here. */
  takes(topic: string): boolean {
    return this.#topics.has(topic);
  }

  /** Hands over what this process has just committed, unless it has too much in flight: then it is among what is left. */
  offer(rows: readonly OutboxRow[]): void {
    if (this.#rows.takeUnordered(rows)) this.#rows.send(rows);
  }

  /** Waits for what was handed over, and deletes what has taken effect. */
  stop(): Promise<void> {
    return this.#rows.drain();
  }

  /** True when there is more. */
  async #handOverLeft(): Promise<boolean> {
    if (this.#rows.isFull) return false;
    const rows = await this.#rows.read();
    if (rows.length > 0) this.#rows.send(rows);
    return rows.length === readLimit;
  }
}
