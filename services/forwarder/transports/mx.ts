import type { MxError } from "mx-connect";
import { domainOf } from "../../message/address/addr-spec.ts";
import { Outage } from "../../platform/errors.ts";
import { SessionPool } from "../smtp/pool.ts";
import { ExchangerBusy } from "./exchanger-limits.ts";
import { MxConnector, type MxConnectorOptions } from "./mx-connector.ts";
import { sendOverPool } from "./send-over-pool.ts";
import { resultOf, unreachable } from "./send-result.ts";
import type { OutboundMessage, SendResult, Transport } from "./transport.ts";

interface MxOptions extends MxConnectorOptions {
  /** Sessions at once with one organisational domain. */
  maxSessions: number;
  /** Deliveries for one account at once. */
  maxPerOwner: number;
}

/** How soon a delivery is tried whose server has as many of our sessions as it may. */
const busyRetryS = 5;
const idleMs = 10_000;
const maxMessages = 100;

/** Delivers straight to each domain's mail exchangers, over a pool of sessions for each domain. */
export class MxTransport implements Transport {
  readonly maxPerDomain: number;
  readonly maxPerOwner: number;
  readonly #connector: MxConnector;
  readonly #pools = new Map<string, SessionPool>();

  constructor(options: MxOptions) {
    this.maxPerDomain = options.maxSessions;
    this.maxPerOwner = options.maxPerOwner;
    this.#connector = new MxConnector(options);
  }

  *busySessions(): Iterable<readonly [string, number]> {
    for (const [domain, pool] of this.#pools) yield [domain, pool.busyCount];
  }

  async send(message: OutboundMessage): Promise<SendResult> {
    const domain = domainOf(message.envelope.recipient);
    try {
      return await sendOverPool(this.#pool(domain), message, {
        limits: this.#connector.exchangers,
        // What a server replied tells more than why the next one cannot be had.
        openNext: (tried) => this.#connector.openSession(domain, tried).catch(() => undefined),
      });
    } catch (error) {
      if (error instanceof ExchangerBusy) throw new Outage("exchanger", { cause: error, retryAfterS: busyRetryS });
      return isMxError(error) ? resultOfMxError(error) : resultOf(error);
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
        open: () => this.#connector.openSession(domain),
        maxSessions: this.maxPerDomain,
        idleMs,
        maxMessages,
      });
      this.#pools.set(domain, pool);
    }
    return pool;
  }
}

/** What mx-connect could not resolve for good, with the code that says so (RFC 3463 section 3.2, RFC 7505 section 4.2). */
const permanentStatuses: Readonly<Record<string, string>> = { ENOTFOUND: "5.1.2", ENODATA: "5.1.2", ENULLMX: "5.1.10" };
const unroutable = "5.4.4";

function resultOfMxError(error: MxError): SendResult {
  if (error.category !== "dns" || error.temporary === true) return unreachable(error);
  return unreachable(new Error(`${permanentStatuses[error.code ?? ""] ?? unroutable} ${error.message}`), true);
}

function isMxError(error: unknown): error is MxError {
  return typeof error === "object" && error !== null && "category" in error;
}
