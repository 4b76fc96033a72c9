import { NOTFOUND, SERVFAIL } from "node:dns/promises";
import type { forwarderContract } from "../../forwarder/contract.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { type Lookups, lookupError, type Records } from "./dns-cache.ts";

const lifetimeMs = 60_000;
/** A selector that is not known may be that of a key made since; strangers may name any. */
const missLifetimeMs = 5_000;

/**
 * DNS, except for the keys that this service signs with: forwarder gives those, so that its own signatures are verified
 * whatever DNS says, and before the records are published.
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
    const value = (await this.#records(lifetimeMs)).get(key) ?? (await this.#records(missLifetimeMs)).get(key);
    if (value === undefined || type !== "TXT") throw lookupError(NOTFOUND, `own key ${name}`);
    return [[value]];
  }

  #records(maxAgeMs: number): Promise<ReadonlyMap<string, string>> {
    const now = Date.now();
    if (this.#known && now - this.#known.askedAtMs < maxAgeMs) return this.#known.records;
    const known = { records: this.#ask(), askedAtMs: now };
    this.#known = known;
    // An outage is not remembered.
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
