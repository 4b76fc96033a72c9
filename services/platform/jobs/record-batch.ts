import { setTimeout as delay } from "node:timers/promises";
import { messageOf, Outage } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";

/** What is not recorded is repeated after a kill: so it is recorded soon, and in small sets. */
const batchSize = 32;
const batchMs = 50;
const retryMs = 1_000;

interface Held<Item> {
  item: Item;
  recorded(): void;
}

/** Gathers what has happened outside and has to be recorded, so that what comes close together shares a transaction. */
export class RecordBatch<Item> {
  readonly #record: (items: readonly Item[]) => Promise<void>;
  readonly #logger: Logger;
  readonly #running = new Set<Promise<void>>();
  #held: Held<Item>[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param record one transaction for the whole set; it must be repeatable */
  constructor(record: (items: readonly Item[]) => Promise<void>, logger: Logger) {
    this.#record = record;
    this.#logger = logger;
  }

  /** Resolves once the item is recorded, within 50 ms or 32 items unless the database is away: that is waited out. */
  add(item: Item): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.push({ item, recorded: resolve });
    if (this.#held.length >= batchSize) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), batchMs);
    return promise;
  }

  /** Records what is held now, and waits for all that is on its way. */
  async drain(): Promise<void> {
    this.#flush();
    await Promise.all(this.#running);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#held;
    this.#held = [];
    if (batch.length === 0) return;
    const running = this.#recordAll(batch).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #recordAll(batch: readonly Held<Item>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    for (let failures = 0; ; failures += 1) {
      try {
        await this.#record(items);
        for (const { recorded } of batch) recorded();
        return;
      } catch (error) {
        // It has happened; to forget it would make it happen again.
        if (failures === 0 || !(error instanceof Outage))
          this.#logger.warn(
            { err: error, items: items.length, failures },
            `cannot record what was done, trying on: ${messageOf(error)}`,
          );
        await delay(retryMs);
      }
    }
  }
}
