import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";

/** Of one account, in this process. */
const maxPerAccount = 50;
/** Of all accounts: each holds a connection. */
const maxTotal = 2_000;
/** The feed of arrivals is best effort: what it does not tell is found after so long. */
const recheckMs = 2_000;

/** What tells of mail of an account: a line of JSON with `bindingId` for each, and empty lines. */
interface ArrivalSource {
  arrivals(of: { ownerId: string }): Promise<Readable>;
}

interface Waiter {
  bindingId: string;
  wake(): void;
}

interface Account {
  waiters: Set<Waiter>;
  /** Ends the feed. */
  close(): void;
}

/** Requests that wait for mail (long polling). All of an account share one feed of its arrivals. */
export class LongPolls {
  readonly #source: ArrivalSource;
  readonly #logger: Logger;
  readonly #accounts = new Map<string, Account>();
  readonly #stopping = new AbortController();
  #count = 0;

  constructor(source: ArrivalSource, logger: Logger) {
    this.#source = source;
    this.#logger = logger;
  }

  /**
   * Asks at each arrival for the binding, until there is a result; undefined when the time is over, the client has disconnected,
   * or the server stops.
   * @throws Refusal RateLimited when the account has too many waiters; any error of `ask`
   */
  async until<T>(
    {
      ownerId,
      bindingId,
      waitMs,
      disconnected,
    }: { ownerId: string; bindingId: string; waitMs: number; disconnected: AbortSignal },
    ask: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const deadline = performance.now() + waitMs;
    const over = AbortSignal.any([disconnected, this.#stopping.signal]);
    const waiter = { bindingId, wake: () => undefined };
    const leave = await this.#enter(ownerId, waiter);
    try {
      while (!over.aborted) {
        const arrival = arrivalFor(waiter);
        const result = await ask();
        if (result !== undefined) return result;
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) return undefined;
        await firstOf(arrival, Math.min(leftMs, recheckMs), over);
      }
      return undefined;
    } finally {
      leave();
    }
  }

  /** Ends all of them without a result. */
  end(): void {
    this.#stopping.abort();
  }

  async #enter(ownerId: string, waiter: Waiter): Promise<() => void> {
    const account = this.#accounts.get(ownerId) ?? { waiters: new Set(), close: () => undefined };
    if (account.waiters.size >= maxPerAccount || this.#count >= maxTotal)
      throw new Refusal("RateLimited", {
        public: `No more than ${maxPerAccount} requests may wait for mail at once.`,
        retryAfterS: 5,
      });
    account.waiters.add(waiter);
    this.#count += 1;
    if (!this.#accounts.has(ownerId)) {
      this.#accounts.set(ownerId, account);
      await this.#follow(ownerId, account);
    }
    return () => {
      account.waiters.delete(waiter);
      this.#count -= 1;
      if (account.waiters.size > 0) return;
      account.close();
      if (this.#accounts.get(ownerId) === account) this.#accounts.delete(ownerId);
    };
  }

  /** Without a feed the waiters ask every now and then. */
  async #follow(ownerId: string, account: Account): Promise<void> {
    try {
      const arrivals = await this.#source.arrivals({ ownerId });
      account.close = () => arrivals.destroy();
      arrivals.on("error", (error) => this.#logger.debug({ err: error }, "arrival subscription lost, polling"));
      if (account.waiters.size === 0) arrivals.destroy();
      const lines = createInterface({ input: arrivals });
      // readline hands the error of its input on: without a listener it would end the process.
      lines.on("error", () => undefined);
      lines.on("line", (line) => {
        if (line === "") return;
        const { bindingId } = JSON.parse(line) as { bindingId: string };
        for (const waiter of account.waiters) if (waiter.bindingId === bindingId) waiter.wake();
      });
    } catch (error) {
      this.#logger.debug({ err: error }, "no arrival subscription, polling");
    }
  }
}

function arrivalFor(waiter: Waiter): Promise<void> {
  return new Promise((resolve) => {
    waiter.wake = resolve;
  });
}

async function firstOf(arrival: Promise<void>, ms: number, over: AbortSignal): Promise<void> {
  const settled = new AbortController();
  const signal = AbortSignal.any([over, settled.signal]);
  // The timer ends with an error where it is not needed any more.
  const timer = wait(ms, undefined, { signal }).catch(() => undefined);
  await Promise.race([arrival, timer]);
  settled.abort();
}
