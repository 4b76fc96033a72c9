import { Outage } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";

/** Something that a service does repeatedly, from its start to its stop, without being called. */
export interface BackgroundTask {
  readonly name: string;
  start(): void;
  /** Resolves once the round in progress has ended. */
  stop(): Promise<void>;
}

interface PollingTaskOptions {
  name: string;
  /** How long to sleep when there was nothing to do. */
  intervalMs: number;
  logger: Logger;
  /** Does one round; true when there may be more to do, so that the next round follows at once. */
  run(signal: AbortSignal): Promise<boolean>;
}

/** Polls for something to do, sleeps while there is nothing, and can be woken. */
export class PollingTask implements BackgroundTask {
  readonly name: string;
  readonly #options: PollingTaskOptions;
  readonly #abort = new AbortController();
  #loop: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isWoken = false;

  constructor(options: PollingTaskOptions) {
    this.name = options.name;
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#poll();
  }

  /** Ends the sleep, or makes the next one end at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#wake?.();
    await this.#loop;
  }

  async #poll(): Promise<void> {
    const { run, intervalMs, logger, name } = this.#options;
    let failures = 0;
    while (!this.#abort.signal.aborted) {
      let sleepMs = intervalMs;
      try {
        if (await run(this.#abort.signal)) sleepMs = 0;
        if (failures > 0) logger.info({ task: name }, "background task recovered");
        failures = 0;
      } catch (error) {
        // A task outlives its dependencies: it backs off, and logs an outage once but every other failure.
        failures += 1;
        sleepMs = Math.min(30_000, Math.max(intervalMs, 100 * 2 ** Math.min(failures, 8)));
        if (failures === 1 || !(error instanceof Outage))
          logger.warn({ task: name, failures, err: error }, "background task failed");
      }
      if (sleepMs > 0) await this.#sleep(sleepMs);
    }
  }

  async #sleep(durationMs: number): Promise<void> {
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
