import { Resolver, SERVFAIL } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import { errorCode } from "../../platform/errors.ts";

/** Records as mailauth wants them: texts in pieces, addresses as text, exchangers as objects. */
export type Records = string[] | string[][];

/** Where names are looked up. */
export interface Lookups {
  /** @throws Error with the `code` of node:dns. What it gives is the caller's to change. */
  lookup(name: string, type: string): Promise<Records>;
}

/** The result of a lookup, for any number of callers, and how long it may be kept. */
type CachedAnswer = { readonly ttlMs: number } & ({ readonly records: unknown } | { readonly failure: LookupError });

type LookupError = Error & { code: string };

const maxTtlMs = 60_000;
/**
 * For negative answers and failures: short, since neither has a known TTL, and long enough that an unreachable name server
 * does not delay every message.
 */
const negativeTtlMs = 5_000;
const maxAnswers = 20_000;
/** Of all answers together: whoever is asked says how many an answer has. */
const maxKeptRecords = 100_000;
/** Of one answer. Each is compared with the client, for each of a hundred lookups of one message. */
const maxRecords = 256;
const queryTimeoutMs = 1_500;
const queryTries = 2;

/**
 * Lookups shared by all messages. node:dns tells the TTL of addresses alone, so that these are kept for their TTL, and
 * other records only while they are being asked for: the resolver behind it keeps them as long as their TTL says.
 */
export class DnsCache implements Lookups {
  readonly #resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  readonly #answers = new LRUCache<string, CachedAnswer>({
    max: maxAnswers,
    maxSize: maxKeptRecords,
    sizeCalculation: sizeOf,
    ttlResolution: 0,
  });
  readonly #inFlight = new Map<string, Promise<CachedAnswer>>();

  /** @param servers as host or host:port; none: the system's */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.#resolver.setServers(servers);
  }

  async lookup(name: string, type: string): Promise<Records> {
    const key = `${type} ${name.toLowerCase()}`;
    const answer = this.#answers.get(key) ?? (await (this.#inFlight.get(key) ?? this.#ask(key, name, type)));
    if ("failure" in answer) throw answer.failure;
    return structuredClone(answer.records) as Records;
  }

  #ask(key: string, name: string, type: string): Promise<CachedAnswer> {
    const asked = this.#query(name, type).then((answer) => {
      this.#inFlight.delete(key);
      if (answer.ttlMs > 0) this.#answers.set(key, answer, { ttl: answer.ttlMs });
      return answer;
    });
    this.#inFlight.set(key, asked);
    return asked;
  }

  async #query(name: string, type: string): Promise<CachedAnswer> {
    try {
      if (type === "A") return keptForTtl(requireFew(await this.#resolver.resolve4(name, { ttl: true })));
      if (type === "AAAA") return keptForTtl(requireFew(await this.#resolver.resolve6(name, { ttl: true })));
      return { records: requireFew((await this.#resolver.resolve(name, type)) as unknown[]), ttlMs: 0 };
    } catch (error) {
      const code = errorCode(error) || SERVFAIL;
      // One error for all callers: one each costs more than the rest of a cached answer.
      return { failure: lookupError(code, `${type} of ${name}`), ttlMs: negativeTtlMs };
    }
  }
}

/** To look at a part would be to say for certain what the rest may deny. */
function requireFew<Record>(records: Record[]): Record[] {
  if (records.length > maxRecords) throw lookupError(SERVFAIL, "too many records");
  return records;
}

function sizeOf(answer: CachedAnswer): number {
  return "records" in answer && Array.isArray(answer.records) ? Math.max(1, answer.records.length) : 1;
}

function keptForTtl(records: readonly { address: string; ttl: number }[]): CachedAnswer {
  const ttlMs = Math.min(maxTtlMs, ...records.map(({ ttl }) => ttl * 1_000));
  return { records: records.map(({ address }) => address), ttlMs };
}

export function lookupError(code: string, what: string): LookupError {
  return Object.assign(new Error(`${code} at the ${what}`), { code });
}
