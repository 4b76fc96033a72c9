import type { Logger } from "../../telemetry/logger.ts";

const intervalMs = 1_000;

/**
 * Commits the offsets of all partitions of a member together, once a second at most. What a member that is lost had not
 * committed comes again, and the inbox drops it.
 */
export class OffsetCommits {
  readonly #logger: Logger;
  readonly #intervalMs: number;
  #commit: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(logger: Logger, everyMs = intervalMs) {
    this.#logger = logger;
    this.#intervalMs = everyMs;
  }

  /** Some offsets are resolved. @param commit commits whatever is resolved by the time it is called */
  async resolved(commit: () => Promise<void>): Promise<void> {
    this.#commit = commit;
    if (this.#isEnding) await this.#run();
    else this.#timer ??= setTimeout(() => void this.#run(), this.#intervalMs);
  }

  /** Commits what is resolved now. What the batches in progress resolve after it is committed at once. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#run();
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const commit = this.#commit;
    this.#commit = undefined;
    try {
      await commit?.();
    } catch (error) {
      this.#logger.debug({ err: error }, "offsets were not committed");
      // A later commit has these as well; a membership that ended needs none.
      if (commit && !this.#isEnding) await this.resolved(this.#commit ?? commit);
    }
  }
}
