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

/** What of an evaluation is used. The record, and what quotes it, may be 64 kB. */
interface DmarcEvaluation {
  readonly result: string;
  /** "" without a record. */
  readonly policy: string;
  /** pct=0 asks for nothing (RFC 7489 section 6.3). */
  readonly isPolicyInForce: boolean;
  readonly hasRecord: boolean;
  readonly alignment: DMARCResult["alignment"];
  /** Its entry in Authentication-Results. */
  readonly info: string;
}

type Found = DmarcEvaluation | false;

/** As long as DnsCache keeps what is not there: see SpfResults. */
const keptMs = 5_000;
/** A result takes some 1 kB. */
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
    const result = await dmarc({
      headerFrom: domain,
      spfDomains: spfDomain === undefined ? [] : [spfDomain],
      dkimDomains: [...signatures],
      ...(arc ? { arcResult: arc } : {}),
      resolver,
      strict: true,
    });
    const found = result && evaluationOf(result);
    // What failed for the moment may be found by the next message.
    const isTemporary = found ? found.result === "temperror" : false;
    if (!isTemporary) this.#results.set(key, { found });
    return found;
  }
}

/** A copy: a part of a string holds the whole in memory. */
function evaluationOf({ status, policy = "", rr, alignment, info }: DMARCResult): DmarcEvaluation {
  return structuredClone({
    result: status.result,
    policy,
    isPolicyInForce: !/(?:^|;)\s*pct\s*=\s*0+\s*(?:;|$)/i.test(rr ?? ""),
    hasRecord: Boolean(rr),
    alignment,
    info,
  });
}
