import { TIMEOUT } from "node:dns/promises";
import { type Lookups, lookupError, type Records } from "./dns-cache.ts";

/** What a name is asked for: the sender chooses which keys and which senders there are to look up, but not the policy. */
type Purpose = "keys" | "policy" | "senders";

/**
 * The lookups that one message causes. Those for each purpose share one time, which begins with the first of them, so that
 * neither a client that pauses inside DATA nor a slow name server of the sender's leaves none for the others.
 */
export class MessageLookups implements Disposable {
  readonly #lookups: Lookups;
  readonly #timeoutMs: number;
  readonly #deadlines = new Map<Purpose, Promise<never>>();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(lookups: Lookups, timeoutMs: number) {
    this.#lookups = lookups;
    this.#timeoutMs = timeoutMs;
  }

  /** As mailauth calls it. @throws Error with the `code` of node:dns, that of a timeout once there is no time left. */
  readonly resolve = (name: string, type: string): Promise<Records> =>
    Promise.race([this.#lookups.lookup(name, type), this.#deadline(purposeOf(name))]);

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #deadline(purpose: Purpose): Promise<never> {
    const known = this.#deadlines.get(purpose);
    if (known) return known;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.#timers.push(setTimeout(() => reject(lookupError(TIMEOUT, `deadline for ${purpose}`)), this.#timeoutMs));
    this.#deadlines.set(purpose, promise);
    return promise;
  }
}

function purposeOf(name: string): Purpose {
  if (/(?:^|\.)_domainkey\./i.test(name)) return "keys";
  return /^_dmarc\./i.test(name) ? "policy" : "senders";
}
