import type { Logger } from "../telemetry/logger.ts";
import { type BackgroundTask, PollingTask } from "./polling-task.ts";

/** How often something happened, and when last. */
interface Counted {
  readonly count: number;
  readonly lastAt: Date;
}

interface PendingCountsOptions<Value> {
  /** For the log. */
  name: string;
  /** Writes some of them; where that fails they are kept for the next time. */
  write(counts: readonly Value[]): Promise<unknown>;
}

const flushIntervalMs = 1_000;
/** Counts in one write. */
const batchSize = 1_000;
/** Waiting while they cannot be written; what is beyond these is not counted. */
const pendingLimit = 10_000;

/**
 * Counts what strangers can cause as often as they like, by a key: the counts of a second are written together, and a crash loses those of
 * the last second.
 */
export class PendingCounts<Value extends object> {
  readonly #options: PendingCountsOptions<Value & Counted>;
  #pending = new Map<string, Value & Counted>();

  constructor(options: PendingCountsOptions<Value & Counted>) {
    this.#options = options;
  }

  /** @param value of the last one holds */
  add(key: string, value: Value): void {
    this.#merge(key, { ...value, count: 1, lastAt: new Date() });
  }

  async flush(): Promise<void> {
    const flushed = [...this.#pending];
    this.#pending = new Map();
    for (let at = 0; at < flushed.length; at += batchSize) {
      try {
        await this.#options.write(flushed.slice(at, at + batchSize).map(([, counts]) => counts));
      } catch (error) {
        for (const [key, counts] of flushed.slice(at)) this.#merge(key, counts);
        throw error;
      }
    }
  }

  task(logger: Logger): BackgroundTask {
    const { name } = this.#options;
    const run = () => this.flush().then(() => false);
    const polling = new PollingTask({ name, intervalMs: flushIntervalMs, logger, run });
    return {
      name,
      start: () => polling.start(),
      stop: async () => {
        await polling.stop();
        try {
          await this.flush();
        } catch (error) {
          logger.warn({ task: name, err: error }, "lost the last counts");
        }
      },
    };
  }

  #merge(key: string, counts: Value & Counted): void {
    const known = this.#pending.get(key);
    if (!known && this.#pending.size >= pendingLimit) return;
    const last = known && known.lastAt > counts.lastAt ? known : counts;
    this.#pending.set(key, { ...last, count: counts.count + (known?.count ?? 0) });
  }
}
