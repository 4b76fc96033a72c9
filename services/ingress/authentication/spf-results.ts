import { isIP } from "node:net";
import type { DNSResolver } from "mailauth";
import { spf } from "mailauth/lib/spf/index.js";
import { TtlCache } from "../../platform/concurrency/ttl-cache.ts";

/** What SPF is evaluated for. */
export interface SenderIdentity {
  readonly clientAddress: string;
  readonly clientName: string;
  readonly envelopeSender: string;
}

/** What of an evaluation is used. The record, and what quotes it, may be 64 kB. */
export interface SpfEvaluation {
  readonly domain: string;
  readonly result: string;
  /** Its entry in Authentication-Results. */
  readonly info: string;
}

/** As long as DnsCache keeps what is not there: who sends much at once is evaluated once, and a changed record is seen soon. */
const keptMs = 5_000;
/** A result takes some 1 kB. */
const maxResults = 1_000;

/** SPF (RFC 7208) by mailauth, its results kept for five seconds. */
export class SpfResults {
  readonly #results = new TtlCache<SpfEvaluation>({ ttlMs: keptMs, maxEntries: maxResults });

  /** @param serviceDomain what the macro "r" stands for (RFC 7208 section 7.3) */
  async evaluate(
    { clientAddress: ip, clientName, envelopeSender: sender }: SenderIdentity,
    resolver: DNSResolver,
    serviceDomain: string,
  ): Promise<SpfEvaluation> {
    // A line end cannot be in any of them: each came in one line.
    const key = [ip, clientName, sender].join("\n");
    const known = this.#results.get(key);
    if (known) return known;
    const name = clientName || ip;
    const helo = isIP(name) ? `[${name}]` : name;
    const { domain, status, info } = await spf({ resolver, strict: true, ip, helo, sender, mta: serviceDomain });
    // A copy: a part of a string holds the whole in memory.
    const evaluation = structuredClone({ domain, result: status.result, info });
    // What failed for the moment may be found by the next message.
    if (evaluation.result !== "temperror") this.#results.set(key, evaluation);
    return evaluation;
  }
}
