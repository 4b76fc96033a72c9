import { Outage } from "../errors.ts";
import { currentContext, type SpanParticipant, withSharedSpan } from "../telemetry/spans.ts";
import { sleep } from "./retry.ts";
import { type Spacing, spacingAfter } from "./spacing.ts";

/** The batch is run again until it succeeds or the batcher stops. `run` has waited outages out: what it throws is a bug. */
interface Repeat {
  /** Before it is run again, in milliseconds. */
  afterMs: number;
  onError(error: unknown): void;
}

interface BatcherOptions<Item, Result> {
  /** What traces call a batch. Default: a batch is no span. */
  name?: string;
  /** Batches that may run at once. With one, items are taken in order. */
  slots: number;
  /** Items of one batch at most. So many do not wait for the sake of spacing, which would let no more through however many came. */
  maxItems: number;
  /** How long a batch that is not full waits for more items, in milliseconds. Default: until the end of the event loop's turn. */
  lingerMs?: number;
  /** With one slot alone; of what is submitted without one of its own. Default: none. */
  spacing?: Spacing;
  /**
   * Spacing ends once this share of the submissions of the largest of the last three batches waits: where callers wait for a result before
   * they submit again, hardly any more will come. Default: never.
   */
  enoughShare?: number;
  /**
   * What becomes of a batch that fails. `isolate`: an outage fails all of it; after any other failure each submission is run alone, and
   * only the bad one fails.
   */
  onFailure: "isolate" | Repeat;
  /** Works on a batch; one result per item, in their order. It must be repeatable. */
  run(items: readonly Item[], stopping: AbortSignal): Promise<readonly Result[]>;
}

/** What was submitted together, and stays together. */
interface Submission<Item, Result> extends SpanParticipant {
  readonly items: readonly Item[];
  readonly spacing: Spacing | undefined;
  resolve(results: readonly Result[]): void;
  reject(error: unknown): void;
}

/**
 * Lets concurrent callers share one expensive call. Items submitted in one turn of the event loop form a batch, and those
 * submitted while all slots are taken form the next one, so that batches grow with the load. There is no other delay by default.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting: Submission<Item, Result>[] = [];
  #waitingItems = 0;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #isTurnAwaited = false;
  #timer: NodeJS.Timeout | undefined;
  /** The former batch: when it began, on performance.now's clock, and how long it took. */
  #former = { startedAt: 0, tookMs: 0 };
  /** Submissions in each of the last batches. */
  readonly #formerSizes: number[] = [];

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** @throws what `run` threw (see `onFailure`); AbortError if `stop` comes first. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#add([item], this.#options.spacing, ([result]) => resolve(result as Result), reject);
    });
  }

  /**
   * The same for at most `maxItems` items, which stay in one batch.
   * @param spacing a shorter one than the batcher's: what waits already goes along
   */
  submitAll(items: readonly Item[], spacing = this.#options.spacing): Promise<readonly Result[]> {
    return new Promise((resolve, reject) => this.#add(items, spacing, resolve, reject));
  }

  /** How long what is submitted now will wait for the sake of spacing, in whole milliseconds. */
  waitMs(spacing = this.#options.spacing): number {
    if (!spacing) return 0;
    const { startedAt, tookMs } = this.#former;
    return Math.max(0, Math.ceil(startedAt + spacingAfter(tookMs, spacing) - performance.now()));
  }

  /** Finishes the batches in progress, unless they are between two runs, and refuses what still waits. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endTimer();
    await Promise.all(this.#running);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#stopping.signal.reason);
  }

  #add(
    items: readonly Item[],
    spacing: Spacing | undefined,
    resolve: (results: readonly Result[]) => void,
    reject: (error: unknown) => void,
  ): void {
    const { signal } = this.#stopping;
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    this.#waiting.push({ items, spacing, context: currentContext(), resolve, reject });
    this.#waitingItems += items.length;
    // The next batch may be due sooner than it was.
    if (spacing !== this.#options.spacing) this.#endTimer();
    this.#fillAfterTurn();
  }

  /** setImmediate comes after all that the sockets had to say in this turn. */
  #fillAfterTurn(): void {
    const { slots, maxItems, lingerMs } = this.#options;
    if (this.#running.size === slots) return;
    if (lingerMs !== undefined && this.#waiting.length < maxItems) {
      this.#timer ??= setTimeout(() => this.#fillSlots(), lingerMs);
      return;
    }
    // Whoever waits for the next batch's time waits with those who did before.
    const isTimeAwaited = lingerMs === undefined && this.#timer !== undefined && !this.#areEnough();
    if (this.#isTurnAwaited || isTimeAwaited) return;
    this.#isTurnAwaited = true;
    setImmediate(() => {
      this.#isTurnAwaited = false;
      this.#fillSlots();
    });
  }

  #fillSlots(): void {
    this.#endTimer();
    const { slots } = this.#options;
    while (this.#running.size < slots && this.#waiting.length > 0 && !this.#stopping.signal.aborted) {
      const waitMs = this.#areEnough() ? 0 : Math.min(...this.#waiting.map(({ spacing }) => this.waitMs(spacing)));
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#fillSlots(), waitMs);
        return;
      }
      const startedAt = performance.now();
      const work = this.#run(this.#nextBatch()).then(() => {
        this.#former = { startedAt, tookMs: performance.now() - startedAt };
        this.#running.delete(work);
        if (this.#waiting.length > 0) this.#fillAfterTurn();
      });
      this.#running.add(work);
    }
  }

  #areEnough(): boolean {
    const { enoughShare, maxItems } = this.#options;
    if (this.#waitingItems >= maxItems) return true;
    return enoughShare !== undefined && this.#waiting.length >= enoughShare * Math.max(...this.#formerSizes);
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The first submissions that fit into one batch. */
  #nextBatch(): Submission<Item, Result>[] {
    let size = 0;
    const end = this.#waiting.findIndex(({ items }) => {
      size += items.length;
      return size > this.#options.maxItems;
    });
    const count = end === -1 ? this.#waiting.length : Math.max(end, 1);
    this.#formerSizes.push(count);
    if (this.#formerSizes.length > 3) this.#formerSizes.shift();
    const batch = this.#waiting.splice(0, count);
    for (const { items } of batch) this.#waitingItems -= items.length;
    return batch;
  }

  async #run(batch: readonly Submission<Item, Result>[]): Promise<void> {
    const { onFailure } = this.#options;
    try {
      this.#resolve(batch, await this.#runOnce(batch));
    } catch (error) {
      if (onFailure !== "isolate") await this.#repeat(batch, onFailure, error);
      else if (batch.length === 1 || error instanceof Outage) for (const { reject } of batch) reject(error);
      else for (const submission of batch) await this.#run([submission]);
    }
  }

  async #repeat(
    batch: readonly Submission<Item, Result>[],
    { afterMs, onError }: Repeat,
    first: unknown,
  ): Promise<void> {
    const { signal } = this.#stopping;
    for (let error = first; !signal.aborted; ) {
      onError(error);
      await sleep(afterMs, signal).catch(() => undefined);
      if (signal.aborted) break;
      try {
        return this.#resolve(batch, await this.#runOnce(batch));
      } catch (again) {
        error = again;
      }
    }
    for (const { reject } of batch) reject(signal.reason);
  }

  async #runOnce(batch: readonly Submission<Item, Result>[]): Promise<readonly Result[]> {
    const { name, run } = this.#options;
    const items = batch.flatMap((submission) => submission.items);
    const work = () => run(items, this.#stopping.signal);
    const results = await (name === undefined ? work() : withSharedSpan(name, { participants: batch }, work));
    if (results.length !== items.length) throw new Error(`a batch of ${items.length} gave ${results.length} results`);
    return results;
  }

  #resolve(batch: readonly Submission<Item, Result>[], results: readonly Result[]): void {
    let start = 0;
    for (const { items, resolve } of batch) {
      resolve(results.slice(start, start + items.length));
      start += items.length;
    }
  }
}
