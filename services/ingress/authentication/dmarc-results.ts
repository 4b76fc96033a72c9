import type { ARCResult, DMARCResult, DNSResolver } from "mailauth";
import { dmarc } from "mailauth/lib/dmarc/index.js";
import { TtlCache } from "../../platform/concurrency/ttl-cache.ts";

/** What DMARC is evaluated for. */
export interface AuthorIdentity {
  /** Of From. */
  readonly domain: string;
  /** For which SPF passed. */
  readonly spfDomain: string | undefined;
  /** Whose signatures passed, and how many octets of the body each leaves unsigned. */
  readonly signatures: readonly { readonly domain: string; readonly underSized: number }[];
  /** Told in the entry for Authentication-Results, and nothing else. */
  readonly arc: ARCResult | undefined;
}

type Found = DMARCResult | false;

/** As long as DnsCache keeps what is not there: see SpfResults. */
const keptMs = 5_000;
/** A result takes some 2 kB. */
const maxResults = 1_000;

/** DMARC (RFC 7489) by mailauth, its results kept for five seconds. */
export class DmarcResults {
  readonly #results = new TtlCache<{ found: Found }>({ ttlMs: keptMs, maxEntries: maxResults });

  /** False where the domain is none. */
  async evaluate(identity: AuthorIdentity, resolver: DNSResolver): Promise<Found> {
    const { domain, spfDomain, signatures, arc } = identity;
    // A line end can be in none of them, nor a space in a domain.
    const signed = signatures.map((each) => `${each.domain} ${each.underSized}`);
    const key = [domain, spfDomain ?? "", arc?.status.result ?? "", ...signed].join("\n");
    const known = this.#results.get(key);
    if (known) return known.found;
    const found = await dmarc({
      headerFrom: domain,
      spfDomains: spfDomain === undefined ? [] : [spfDomain],
      dkimDomains: [...signatures],
      ...(arc ? { arcResult: arc } : {}),
      resolver,
      strict: true,
    });
    // What failed for the moment may be found by the next message.
    const isTemporary = found ? found.status.result === "temperror" : false;
    if (!isTemporary) this.#results.set(key, { found });
    return found;
  }
}
