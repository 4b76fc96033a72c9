import { Resolver } from "node:dns/promises";
import { errorCode } from "../../platform/errors.ts";
import type { DnsAnswer } from "./records.ts";

/** The name exists without such a record, or does not exist (RFC 2308): answers as certain as data. */
const absences = new Set(["ENODATA", "ENOTFOUND"]);
const queryTimeoutMs = 1_200;
const queryTries = 2;
/** A check by hand is an answer that somebody waits for. */
const deadlineMs = 3_500;

/** Asks the configured resolver for what domains publish. */
export class NameServers {
  readonly #servers: readonly string[];

  /** @param servers as DNS_SERVERS has them; none: the system's */
  constructor(servers: readonly string[]) {
    this.#servers = servers;
  }

  /** Undefined where no certain answer came in time: a timeout, SERVFAIL, or what cannot be read. */
  async ask(name: string, type: "TXT" | "MX" | "CNAME"): Promise<DnsAnswer> {
    // One for each question, which can be given up by itself.
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      return await dataOf(resolver, name, type);
    } catch (error) {
      return absences.has(errorCode(error)) ? [] : undefined;
    } finally {
      clearTimeout(deadline);
    }
  }
}

async function dataOf(resolver: Resolver, name: string, type: "TXT" | "MX" | "CNAME"): Promise<readonly string[]> {
  if (type === "TXT") return (await resolver.resolveTxt(name)).map((strings) => strings.join(""));
  if (type === "CNAME") return resolver.resolveCname(name);
  const exchangers = await resolver.resolveMx(name);
  return exchangers
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ priority, exchange }) => `${priority} ${exchange}`);
}
