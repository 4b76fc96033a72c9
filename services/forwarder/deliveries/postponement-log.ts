import { minuteMs } from "../../platform/durations.ts";
import type { Outage } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** Says what deliveries wait for the end of: of each kind of outage once a minute, however many wait. */
export class PostponementLog {
  readonly #logger: Logger;
  readonly #saidAtMs = new Map<string, number>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(named: object, outage: Outage): void {
    const { what } = outage;
    if (Date.now() - (this.#saidAtMs.get(what) ?? 0) < minuteMs) return;
    this.#saidAtMs.set(what, Date.now());
    this.#logger.warn({ ...named, what }, "delivery postponed by an outage");
  }
}
