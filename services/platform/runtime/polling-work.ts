import { messageOf, Outage } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";

/** Something a service does by itself, over and over, from its start to its stop. */
export interface Work {
  readonly name: string;
  start(): void;
  /** Finishes what is in hand, then returns. */
  stop(): Promise<void>;
}

export interface PollingWorkOptions {
  name: string;
  /** How long to rest when there was nothing to do. */
  intervalMs: number;
  logger: Logger;
  /** Does one round; true when more may be waiting, so that no rest is taken. */
  run(signal: AbortSignal): Promise<boolean>;
}

/** Work that looks for something to do, rests when there is nothing, and can be woken from its rest. */
export class PollingWork implements Work {
  readonly name: string;
  readonly #options: PollingWorkOptions;
  readonly #abort = new AbortController();
  #loop: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isWoken = false;

  constructor(options: PollingWorkOptions) {
    this.name = options.name;
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#turn();
  }

  /** Ends the rest, or makes the next one end at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#wake?.();
    await this.#loop;
  }

  async #turn(): Promise<void> {
    const { run, intervalMs, logger, name } = this.#options;
    let failures = 0;
    while (!this.#abort.signal.aborted) {
      let restMs = intervalMs;
      try {
        if (await run(this.#abort.signal)) restMs = 0;
        if (failures > 0) logger.info({ work: name }, "work goes on");
        failures = 0;
      } catch (error) {
        // Work outlives what it depends on: it slows down and says so once, then whenever the cause is not an outage.
        failures += 1;
        restMs = Math.min(30_000, Math.max(intervalMs, 100 * 2 ** Math.min(failures, 8)));
        if (failures === 1 || !(error instanceof Outage))
          logger.warn({ work: name, failures, err: error }, `work failed: ${messageOf(error)}`);
      }
      if (restMs > 0) await this.#rest(restMs);
    }
  }

  async #rest(durationMs: number): Promise<void> {
    if (!this.#isWoken && !this.#abort.signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, durationMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#isWoken = false;
  }
}
