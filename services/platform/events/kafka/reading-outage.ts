import { messageOf } from "../../errors.ts";
import type { Logger } from "../../telemetry/logger.ts";

interface ReadingOutageSettings {
  /** The consumer's name. */
  readonly consumer: string;
  readonly logger: Logger;
  readonly quietMs: number;
}

/**
 * What the log says of a reader that is refused: nothing for `quietMs`, since brokers refuse readers for moments, as while they make topics or move
 * a group; then, if it does not read, one line, and another once it does.
 */
export class ReadingOutage {
  readonly #settings: ReadingOutageSettings;
  #reason: unknown;
  #isReading = false;
  #isTold = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: ReadingOutageSettings) {
    this.#settings = settings;
  }

  failed(reason: unknown): void {
    this.#reason = reason;
    this.#isReading = false;
    if (!this.#isTold) this.#timer ??= setTimeout(() => this.#tell(), this.#settings.quietMs).unref();
  }

  /** The timer goes on: a reader that joins and fails, over and over, is told of as well. */
  joined(): void {
    const { consumer, logger } = this.#settings;
    this.#isReading = true;
    if (this.#isTold) logger.info({ consumer }, "consumer resumed reading");
    this.#isTold = false;
  }

  /** Says nothing more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    const { consumer, logger } = this.#settings;
    this.#timer = undefined;
    if (this.#isReading) return;
    this.#isTold = true;
    // Without the trace, which is kafkajs's own: each reader of a process says the same at the same moment.
    logger.warn({ consumer, reason: messageOf(this.#reason) }, "consumer waits for the broker");
  }
}
