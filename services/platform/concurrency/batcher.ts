import { Outage } from "../errors.ts";
import { currentContext, type SpanParticipant, withSharedSpan } from "../telemetry/spans.ts";

interface BatcherOptions<Item, Result> {
  /** What traces call a batch. Default: a batch is no span. */
  name?: string;
  /** Batches that may run at once. */
  slots: number;
  /** Items of one batch at most. */
  maxItems: number;
  /** How long a batch that is not full waits for more items, in milliseconds. Default: until the end of the event loop's turn. */
  lingerMs?: number;
  /** Works on a batch; one result per item, in their order. It must be repeatable: see Batcher. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

interface Waiter<Item, Result> extends SpanParticipant {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Lets concurrent callers share one expensive call. Items submitted in one turn of the event loop form a batch, and those
 * submitted while all slots are taken form the next one. There is no other delay by default, so that an idle service
 * answers as fast as without batching.
 * An outage fails the whole batch. After any other failure each item is run alone, and only the bad one fails.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting: Waiter<Item, Result>[] = [];
  #running = 0;
  #isTurnAwaited = false;
  #linger: NodeJS.Timeout | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, context: currentContext(), resolve, reject });
      this.#fillAfterTurn();
    });
  }

  /** setImmediate comes after all that the sockets had to say in this turn. */
  #fillAfterTurn(): void {
    const { slots, maxItems, lingerMs } = this.#options;
    if (this.#running === slots) return;
    if (lingerMs !== undefined && this.#waiting.length < maxItems) {
      this.#linger ??= setTimeout(() => this.#fillSlots(), lingerMs);
      return;
    }
    if (this.#isTurnAwaited) return;
    this.#isTurnAwaited = true;
    setImmediate(() => {
      this.#isTurnAwaited = false;
      this.#fillSlots();
    });
  }

  #fillSlots(): void {
    clearTimeout(this.#linger);
    this.#linger = undefined;
    while (this.#running < this.#options.slots && this.#waiting.length > 0) {
      this.#running += 1;
      void this.#work(this.#waiting.splice(0, this.#options.maxItems));
    }
  }

  async #work(batch: readonly Waiter<Item, Result>[]): Promise<void> {
    await this.#run(batch);
    this.#running -= 1;
    if (this.#waiting.length > 0) this.#fillAfterTurn();
  }

  async #run(batch: readonly Waiter<Item, Result>[]): Promise<void> {
    try {
      const { name, run } = this.#options;
      const items = batch.map((waiter) => waiter.item);
      const results = await (name === undefined
        ? run(items)
        : withSharedSpan(name, { participants: batch }, () => run(items)));
      if (results.length !== batch.length) throw new Error(`a batch of ${batch.length} gave ${results.length} results`);
      for (const [index, waiter] of batch.entries()) waiter.resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1 || error instanceof Outage) for (const waiter of batch) waiter.reject(error);
      else for (const waiter of batch) await this.#run([waiter]);
    }
  }
}
