import { NOTFOUND, SERVFAIL } from "node:dns/promises";
import type { forwarderContract } from "../../forwarder/contract.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { type Lookups, lookupError, type Records } from "./dns-cache.ts";

const maxAgeMs = 60_000;
/** For a selector that is not in the list: it may belong to a new key, or be made up by a sender. */
const maxAgeOnMissMs = 5_000;

/**
 * DNS, except for this service's own DKIM keys: those come from forwarder, so that its own signatures can be verified without DNS, and
 * before the records are published.
 */
export class OwnKeyLookups implements Lookups {
  readonly #dns: Lookups;
  readonly #forwarder: Pick<Client<typeof forwarderContract>, "dnsRecords">;
  readonly #suffix: string;
  #known: { readonly records: Promise<ReadonlyMap<string, string>>; readonly askedAtMs: number } | undefined;

  constructor(dns: Lookups, forwarder: Pick<Client<typeof forwarderContract>, "dnsRecords">, serviceDomain: string) {
    this.#dns = dns;
    this.#forwarder = forwarder;
    this.#suffix = `._domainkey.${serviceDomain}`;
  }

  async lookup(name: string, type: string): Promise<Records> {
    const key = name.toLowerCase().replace(/\.$/, "");
    if (!key.endsWith(this.#suffix)) return this.#dns.lookup(name, type);
    const value = (await this.#records(maxAgeMs)).get(key) ?? (await this.#records(maxAgeOnMissMs)).get(key);
    if (value === undefined || type !== "TXT") throw lookupError(NOTFOUND, `own key ${name}`);
    return [[value]];
  }

  #records(ageLimitMs: number): Promise<ReadonlyMap<string, string>> {
    const now = performance.now();
    if (this.#known && now - this.#known.askedAtMs < ageLimitMs) return this.#known.records;
    const known = { records: this.#ask(), askedAtMs: now };
    this.#known = known;
    // Failures are not cached.
    known.records.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.records;
  }

  async #ask(): Promise<ReadonlyMap<string, string>> {
    try {
      const { records } = await this.#forwarder.dnsRecords({});
      return new Map(records.filter(({ type }) => type === "TXT").map(({ name, value }) => [name, value] as const));
    } catch (cause) {
      throw Object.assign(lookupError(SERVFAIL, "own keys"), { cause });
    }
  }
}
