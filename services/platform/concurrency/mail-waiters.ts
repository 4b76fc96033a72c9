import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "../errors.ts";
import { firstIdAt } from "../ids.ts";
import type { Limits } from "../security/rate-limits.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";

/** Of one account: over all replicas, and in this process even where one waiter asks several times at once. */
const maxPerAccount = 50;
/** Of all accounts: each holds a connection. */
const maxTotal = 2_000;
/** The feed of arrivals is best effort: what it does not tell is found after so long. */
const recheckMs = 5_000;
/** Renewed at each recheck. */
const leaseMs = 20_000;
/** An email that the feed has not told of is found while a wait goes on if it was accepted within this time; by the next wait if not. */
const lookBackMs = 600_000;

/** What tells of mail of an account: a line of JSON with `bindingId`, `emailId` and `recipient` for each, and empty lines. */
interface ArrivalSource {
  arrivals(of: { ownerId: string }): Promise<Readable>;
}

/** One request. */
interface Wait {
  ownerId: string;
  bindingId: string;
  /** Whom the email has to be to; undefined for anybody. */
  recipient: string | undefined;
  waitMs: number;
  /** Of those with the same key one alone can have an email, so that each arrival wakes one of them. Without a key each arrival wakes it. */
  contentionKey: string | undefined;
  /** Who repeats a request under the same name needs no second place: its first one may be that of a process that died. */
  waiter: string | undefined;
  disconnected: AbortSignal;
  /** @throws once the request's credential is worth nothing any more */
  requireCredential(): Promise<void>;
}

interface Waiter {
  bindingId: string;
  recipient: string | undefined;
  contentionKey: string | undefined;
  /** The lowest id that has arrived since it asked. */
  arrivedId: string | undefined;
  /** Only while it sleeps. */
  wake: (() => void) | undefined;
}

interface Arrival {
  bindingId: string;
  emailId: string;
  /** Absent from a process of the release before. */
  recipient?: string;
}

interface Account {
  waiters: Set<Waiter>;
  /** Settled once arrivals are followed, or cannot be; none once it has ended. */
  feed: Promise<void> | undefined;
  /** Ends the feed. */
  close(): void;
}

/** Requests that wait for mail (long polling). All of an account share one feed of its arrivals. */
export class MailWaiters {
  readonly #source: ArrivalSource;
  readonly #places: ConcurrencyLimit;
  readonly #logger: Logger;
  readonly #accounts = new Map<string, Account>();
  readonly #stopping = new AbortController();
  #count = 0;

  constructor(source: ArrivalSource, limits: Pick<Limits, "concurrent">, logger: Logger) {
    this.#source = source;
    this.#places = limits.concurrent({ name: "waiting-for-mail", places: maxPerAccount, leaseMs });
    this.#logger = logger;
  }

  /**
   * Asks at each arrival for the binding, until there is a result; undefined when the time is over, the client has disconnected,
   * or the server stops.
   * @param ask is told from the second time on which emails can be new: those with this id, or a higher one
   * @throws Refusal RateLimited when the account has too many waiters; any error of `ask` and `requireCredential`
   */
  async until<T>(waiting: Wait, ask: (fromId: string | undefined) => Promise<T | undefined>): Promise<T | undefined> {
    const {
      ownerId,
      bindingId,
      contentionKey,
      disconnected,
      requireCredential,
      waiter: holder = randomUUID(),
    } = waiting;
    const deadline = performance.now() + waiting.waitMs;
    const over = AbortSignal.any([disconnected, this.#stopping.signal]);
    const recipient = waiting.recipient?.toLowerCase();
    const waiter: Waiter = { bindingId, recipient, contentionKey, arrivedId: undefined, wake: undefined };
    const leave = await this.#enter(ownerId, waiter, holder);
    try {
      for (let isFirst = true; !over.aborted; isFirst = false) {
        if (!isFirst) {
          await this.#places.enter(ownerId, holder);
          await this.#fed(ownerId);
          await requireCredential();
        }
        const fromId = isFirst ? undefined : lowestNewId(waiter);
        waiter.arrivedId = undefined;
        const result = await ask(fromId);
        if (result !== undefined) return result;
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) return undefined;
        if (waiter.arrivedId === undefined) await sleep(waiter, Math.min(leftMs, recheckMs), over);
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

  async #enter(ownerId: string, waiter: Waiter, holder: string): Promise<() => void> {
    const account = this.#accounts.get(ownerId) ?? { waiters: new Set(), feed: undefined, close: () => undefined };
    if (account.waiters.size >= maxPerAccount || this.#count >= maxTotal) throw tooManyWaiters();
    this.#accounts.set(ownerId, account);
    account.waiters.add(waiter);
    this.#count += 1;
    const leave = () => {
      account.waiters.delete(waiter);
      this.#count -= 1;
      void this.#places.leave(ownerId, holder);
      // What it was woken for may be another's now.
      wakeOneOfEach([...account.waiters].filter(({ arrivedId }) => arrivedId !== undefined));
      if (account.waiters.size > 0) return;
      account.close();
      if (this.#accounts.get(ownerId) === account) this.#accounts.delete(ownerId);
    };
    if (!(await this.#places.enter(ownerId, holder))) {
      leave();
      throw tooManyWaiters();
    }
    await this.#fed(ownerId);
    return leave;
  }

  /** Follows the account's arrivals, unless that is done already. */
  async #fed(ownerId: string): Promise<void> {
    const account = this.#accounts.get(ownerId);
    if (!account) return;
    account.feed ??= this.#follow(ownerId, account);
    await account.feed;
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
        const arrival = JSON.parse(line) as Arrival;
        const told = [...account.waiters].filter((waiter) => concerns(arrival, waiter));
        for (const waiter of told) note(waiter, arrival.emailId);
        wakeOneOfEach(told);
      });
      lines.once("close", () => {
        account.feed = undefined;
      });
    } catch (error) {
      account.feed = undefined;
      this.#logger.debug({ err: error }, "no arrival subscription, polling");
    }
  }
}

function tooManyWaiters(): Refusal {
  return new Refusal("RateLimited", {
    public: `No more than ${maxPerAccount} requests may wait for mail at once.`,
    retryAfterS: 5,
  });
}

function concerns({ bindingId, recipient }: Arrival, waiter: Waiter): boolean {
  if (bindingId !== waiter.bindingId) return false;
  return recipient === undefined || waiter.recipient === undefined || recipient.toLowerCase() === waiter.recipient;
}

function note(waiter: Waiter, emailId: string): void {
  if (waiter.arrivedId === undefined || emailId < waiter.arrivedId) waiter.arrivedId = emailId;
}

/** Of those with one key the others would ask in vain. Who is awake looks at its `arrivedId` before it sleeps. */
function wakeOneOfEach(waiters: readonly Waiter[]): void {
  const woken = new Set<string>();
  for (const { contentionKey, wake } of waiters) {
    if (!wake || (contentionKey !== undefined && woken.has(contentionKey))) continue;
    if (contentionKey !== undefined) woken.add(contentionKey);
    wake();
  }
}

function lowestNewId({ arrivedId }: Waiter): string {
  const recent = firstIdAt(new Date(Date.now() - lookBackMs));
  return arrivedId !== undefined && arrivedId < recent ? arrivedId : recent;
}

async function sleep(waiter: Waiter, ms: number, over: AbortSignal): Promise<void> {
  const woken = new AbortController();
  waiter.wake = () => {
    waiter.wake = undefined;
    woken.abort();
  };
  // The timer ends with an error where it is not needed any more.
  await wait(ms, undefined, { signal: AbortSignal.any([over, woken.signal]) }).catch(() => undefined);
  waiter.wake = undefined;
}
