import { Resolver } from "node:dns/promises";
import { errorCode } from "../../platform/errors.ts";
import { AttemptFailure } from "./failure.ts";
import { addressesInHostsFile } from "./hosts-file.ts";

/** Gives a host name's addresses, IPv4 first. @throws AttemptFailure if it has none, or none in time */
export type Resolve = (name: string) => Promise<string[]>;

const timeoutMs = 2_000;
const tries = 2;
/** The name exists without such a record, or not at all. */
const absences = new Set(["ENODATA", "ENOTFOUND"]);

/**
 * Asks the name servers given, or the system's and its hosts file. Not by getaddrinfo, which keeps a thread of few for as
 * long as a name server is silent: names of one dead domain would hold up the callbacks of all others.
 * @param servers addresses with or without port; none: the system's
 */
export function createResolver(servers: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    if (servers.length === 0) {
      const listed = await addressesInHostsFile(name);
      if (listed.length > 0) return listed;
    }
    const outcomes = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
    if (addresses.length > 0) return addresses;
    throw new AttemptFailure(
      outcomes.every(isAbsence) ? "The host name has no address." : "The host name could not be resolved.",
      outcomes.find((outcome) => outcome.status === "rejected")?.reason,
    );
  };
}

function isAbsence(outcome: PromiseSettledResult<unknown>): boolean {
  return outcome.status === "rejected" && absences.has(errorCode(outcome.reason));
}
