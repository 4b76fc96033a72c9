import { TIMEOUT } from "node:dns/promises";
import { type DnsCache, isAbsence, lookupError, type Records } from "./dns-cache.ts";

/** The lookups that one message causes, all of them within one time. */
export class MessageLookups implements Disposable {
  readonly #cache: DnsCache;
  readonly #deadline = Promise.withResolvers<never>();
  readonly #timer: NodeJS.Timeout;
  #hasFailed = false;

  constructor(cache: DnsCache, timeoutMs: number) {
    this.#cache = cache;
    this.#deadline.promise.catch(() => undefined);
    this.#timer = setTimeout(() => this.#deadline.reject(lookupError(TIMEOUT, "deadline of a message")), timeoutMs);
  }

  /** Whether any answer could not be had: then what was concluded without it proves nothing against the sender. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** As mailauth calls it. */
  readonly resolve = async (name: string, type: string): Promise<Records> => {
    try {
      return await Promise.race([this.#cache.lookup(name, type), this.#deadline.promise]);
    } catch (error) {
      if (!isAbsence((error as NodeJS.ErrnoException).code ?? "")) this.#hasFailed = true;
      throw error;
    }
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
