import { NODATA, NOTFOUND, Resolver } from "node:dns/promises";

/** Records as mailauth wants them: texts in pieces, addresses as text, exchangers as objects. */
export type Records = string[] | string[][];

/** Where names are looked up. */
export interface Lookups {
  /** @throws Error with the `code` of node:dns. What it gives is the caller's to change. */
  lookup(name: string, type: string): Promise<Records>;
}

/** What a lookup came to, to be told to any number of askers. */
type Answer = { records: unknown } | { failure: Error & { code: string } };

interface Entry {
  readonly answer: Promise<Answer>;
  expiresAt: number;
}

const answerLifetimeMs = 60_000;
/** Long enough that a name server that is gone does not hold up each message anew. */
const failureLifetimeMs = 5_000;
const entryLimit = 20_000;
const queryTimeoutMs = 1_500;
const queryTries = 2;

/** That there is no such record, which is an answer; anything else is a failure to get one. */
function isAbsence(code: string): boolean {
  return code === NOTFOUND || code === NODATA;
}

/** Lookups shared by all messages, each answer kept for a minute: mail comes in runs from the same domains. */
export class DnsCache implements Lookups {
  readonly #resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  readonly #entries = new Map<string, Entry>();

  /** @param servers as host or host:port; none: the system's */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.#resolver.setServers(servers);
  }

  async lookup(name: string, type: string): Promise<Records> {
    const key = `${type} ${name.toLowerCase()}`;
    const known = this.#entries.get(key);
    const entry = known && known.expiresAt > Date.now() ? known : this.#ask(key, name, type);
    const answer = await entry.answer;
    if ("failure" in answer) throw answer.failure;
    return structuredClone(answer.records) as Records;
  }

  #ask(key: string, name: string, type: string): Entry {
    const entry: Entry = { answer: this.#query(name, type), expiresAt: Date.now() + answerLifetimeMs };
    void entry.answer.then((answer) => {
      if ("failure" in answer && !isAbsence(answer.failure.code)) entry.expiresAt = Date.now() + failureLifetimeMs;
    });
    // The oldest go first: a Map keeps the order of insertion.
    this.#entries.delete(key);
    for (const [oldest] of this.#entries) {
      if (this.#entries.size < entryLimit) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, entry);
    return entry;
  }

  async #query(name: string, type: string): Promise<Answer> {
    try {
      return { records: await this.#resolver.resolve(name, type) };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "ESERVFAIL";
      // One error for all who ask: to make each their own costs more than all the rest of an answer.
      return { failure: lookupError(code, `${type} of ${name}`) };
    }
  }
}

export function lookupError(code: string, what: string): Error & { code: string } {
  return Object.assign(new Error(`${code} at the ${what}`), { code });
}
