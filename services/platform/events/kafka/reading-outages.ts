import { messageOf, Outage, outageText } from "../../errors.ts";
import type { Logger } from "../../telemetry/logger.ts";

interface ReadingOutagesSettings {
  readonly logger: Logger;
  /** Default 5,000. */
  readonly quietMs?: number;
}

interface Waiting {
  readonly sinceMs: number;
  reason: unknown;
}

/**
 * What the log says of a service's readers that are refused: nothing for `quietMs`, since brokers refuse readers for moments, as while they make
 * topics or move a group; then one line for all that do not read, and another once they do.
 */
export class ReadingOutages {
  readonly #logger: Logger;
  readonly #quietMs: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #told = new Set<string>();
  #back: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor({ logger, quietMs = 5_000 }: ReadingOutagesSettings) {
    this.#logger = logger;
    this.#quietMs = quietMs;
  }

  failed(consumer: string, reason: unknown): void {
    const known = this.#waiting.get(consumer);
    if (known) known.reason = reason;
    else this.#waiting.set(consumer, { sinceMs: performance.now(), reason });
    this.#lookLater();
  }

  /** One that joins and fails, over and over, is told of as well: the timer goes on. */
  joined(consumer: string): void {
    this.#waiting.delete(consumer);
    if (!this.#told.delete(consumer)) return;
    this.#back.push(consumer);
    if (this.#told.size > 0) return;
    this.#logger.info({ consumers: this.#back }, "consumers resumed reading");
    this.#back = [];
  }

  /** Says nothing more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #untold(): [string, Waiting][] {
    return [...this.#waiting].filter(([consumer]) => !this.#told.has(consumer));
  }

  #lookLater(): void {
    if (this.#untold().length > 0) this.#timer ??= setTimeout(() => this.#tell(), this.#quietMs).unref();
  }

  /** Brokers that are away are away for all, but readers do not find it out at one moment: who has waited for half the time is told of with the first. */
  #tell(): void {
    this.#timer = undefined;
    const isLong = ({ sinceMs }: Waiting) => performance.now() - sinceMs >= this.#quietMs / 2;
    const long = this.#untold().filter(([, waiting]) => isLong(waiting));
    const consumers = long.map(([consumer]) => consumer);
    for (const consumer of consumers) this.#told.add(consumer);
    // Without a trace, which would be kafkajs's own.
    const reason = long[0]?.[1].reason;
    const text = reason instanceof Outage ? outageText(reason) : messageOf(reason);
    if (consumers.length > 0) this.#logger.warn({ consumers, reason: text }, "consumers wait for the broker");
    this.#lookLater();
  }
}
