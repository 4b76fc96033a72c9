import { messageOf } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { rest } from "./retry.ts";

/** Items that are handed over together at most, and that are processed together. */
export const batchLimit = 500;

const bugRestMs = 1_000;

interface Part<Item> {
  readonly items: readonly Item[];
  readonly settled: PromiseWithResolvers<void>;
}

interface BatchQueueSettings<Item> {
  /** For the log. */
  readonly name: string;
  readonly logger: Logger;
  /** How far apart batches begin at least, in milliseconds. What comes first after a pause goes at once. Default 0. */
  readonly spacingMs?: number;
  /** Processes a batch to its end. Any error, other than the signal's reason, is a bug: it is logged, and the batch retried. */
  process(batch: readonly Item[], signal: AbortSignal): Promise<void>;
}

/**
 * Works in order, one batch at a time. A batch takes all that has gathered meanwhile, up to its limit, so that batches
 * grow with the load and no item waits for one to fill.
 */
export class BatchQueue<Item> {
  readonly #settings: BatchQueueSettings<Item>;
  readonly #stopping = new AbortController();
  readonly #waiting: Part<Item>[] = [];
  #working: Promise<void> | undefined;
  /** On performance.now's clock. */
  #nextAt = 0;

  constructor(settings: BatchQueueSettings<Item>) {
    this.#settings = settings;
  }

  /**
   * Hands over at most `batchLimit` items.
   * @returns once they have been processed. @throws AbortError if `stop` comes first.
   */
  push(items: readonly Item[]): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.reject(this.#stopping.signal.reason);
    const settled = Promise.withResolvers<void>();
    this.#waiting.push({ items, settled });
    this.#working ??= this.#work();
    return settled.promise;
  }

  /** Finishes the batch in progress, unless it is between two attempts, and refuses what still waits. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
    for (const part of this.#waiting.splice(0)) part.settled.reject(this.#stopping.signal.reason);
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#waiting.length > 0 && !signal.aborted) {
      const waitMs = this.#nextAt - performance.now();
      if (waitMs > 0) await rest(waitMs, signal).catch(() => undefined);
      else await this.#processOne(this.#nextBatch());
    }
    // In the same turn as the check above, so that no push falls between the two.
    this.#working = undefined;
  }

  async #processOne(parts: readonly Part<Item>[]): Promise<void> {
    const { signal } = this.#stopping;
    const { name, logger, process, spacingMs = 0 } = this.#settings;
    this.#nextAt = performance.now() + spacingMs;
    try {
      await process(
        parts.flatMap((part) => part.items),
        signal,
      );
      for (const part of parts) part.settled.resolve();
    } catch (error) {
      this.#waiting.unshift(...parts);
      if (signal.aborted) return;
      logger.error({ err: error }, `${name}: batch failed unexpectedly, retrying: ${messageOf(error)}`);
      await rest(bugRestMs, signal).catch(() => undefined);
    }
  }

  /** The parts at the head that fit into one batch. */
  #nextBatch(): Part<Item>[] {
    let size = 0;
    const end = this.#waiting.findIndex((part) => {
      size += part.items.length;
      return size > batchLimit;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(end, 1));
  }
}
