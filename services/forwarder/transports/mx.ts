import type { MxError } from "mx-connect";
import { SessionPool } from "../smtp/pool.ts";
import { type ExchangerOptions, Exchangers } from "./mx-connector.ts";
import { outcomeOf, unreachable } from "./outcome.ts";
import { sendOverPool } from "./send-over-pool.ts";
import type { Outcome, Parcel, Transport } from "./transport.ts";

export interface MxOptions extends ExchangerOptions {
  /** Sessions with one domain at once. */
  maxSessions: number;
}

const idleMs = 10_000;
const maxMessages = 100;

/** Straight to each domain's mail exchangers, over a pool of sessions for each domain. */
export class MxTransport implements Transport {
  readonly perDomain: number;
  readonly #exchangers: Exchangers;
  readonly #pools = new Map<string, SessionPool>();

  constructor(options: MxOptions) {
    this.perDomain = options.maxSessions;
    this.#exchangers = new Exchangers(options);
  }

  *destinations(): Iterable<readonly [string, number]> {
    for (const [domain, pool] of this.#pools) yield [domain, pool.busyCount];
  }

  async send(parcel: Parcel): Promise<Outcome> {
    const domain = parcel.envelope.recipient.slice(parcel.envelope.recipient.lastIndexOf("@") + 1).toLowerCase();
    try {
      return await sendOverPool(this.#pool(domain), parcel);
    } catch (error) {
      return isMxError(error)
        ? unreachable(error, error.category === "dns" && error.temporary !== true)
        : outcomeOf(error);
    }
  }

  async close(): Promise<void> {
    for (const pool of this.#pools.values()) pool.close();
  }

  #pool(domain: string): SessionPool {
    let pool = this.#pools.get(domain);
    if (!pool) {
      for (const [name, other] of this.#pools) if (other.isEmpty) this.#pools.delete(name);
      pool = new SessionPool({
        open: () => this.#exchangers.open(domain),
        maxSessions: this.perDomain,
        idleMs,
        maxMessages,
      });
      this.#pools.set(domain, pool);
    }
    return pool;
  }
}

function isMxError(error: unknown): error is MxError {
  return typeof error === "object" && error !== null && "category" in error;
}
