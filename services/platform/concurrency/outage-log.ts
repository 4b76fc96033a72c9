import type { Logger } from "../telemetry/logger.ts";
import { isTransientFailure } from "./retry.ts";

interface OutageLogOptions {
  readonly logger: Logger;
  /** What cannot be done meanwhile. */
  readonly lost: string;
  /** That it can be done again. */
  readonly back: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * One line where an outage begins, and one where it is over, however often it is met meanwhile. What is no outage is told each time. See
 * throughOutages, for what is tried until it succeeds.
 */
export class OutageLog {
  readonly #options: OutageLogOptions;
  #isTold = false;

  constructor(options: OutageLogOptions) {
    this.#options = options;
  }

  met(error: unknown): void {
    const { logger, lost, fields } = this.#options;
    const isOutage = isTransientFailure(error);
    if (!isOutage || !this.#isTold) logger.warn({ ...fields, err: error }, lost);
    this.#isTold ||= isOutage;
  }

  over(): void {
    const { logger, back, fields } = this.#options;
    if (this.#isTold) logger.info({ ...fields }, back);
    this.#isTold = false;
  }
}
