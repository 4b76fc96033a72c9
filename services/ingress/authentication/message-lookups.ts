import { TIMEOUT } from "node:dns/promises";
import { type Lookups, lookupError, type Records } from "./dns-cache.ts";
import { hasCostlyKey } from "./key-records.ts";

/** As mailauth says that a key record has no key that it could use. */
const invalidKey = "EINVALIDVAL";

/** What a lookup is for. The sender decides which keys and which SPF records are looked up, and so how long that takes. */
type Purpose = "keys" | "policy" | "senders";

/**
 * The lookups for one message, with a deadline for each purpose that starts at its first lookup. So neither a client that pauses
 * inside DATA nor a slow name server of the sender takes the time for the lookups that decide.
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

  /** As mailauth calls it. @throws Error with the `code` of node:dns, ETIMEOUT after the deadline; with mailauth's for a costly key. */
  readonly resolve = async (name: string, type: string): Promise<Records> => {
    const purpose = purposeOf(name);
    const records = await Promise.race([this.#lookups.lookup(name, type), this.#deadline(purpose)]);
    if (purpose === "keys" && hasCostlyKey(records)) throw lookupError(invalidKey, name);
    return records;
  };

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
