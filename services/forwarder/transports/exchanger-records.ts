import type { MxRecord } from "node:dns";

/** The addresses of all of them are asked for at once, of whosever name server. */
const mostExchangers = 10;

/**
 * The MX records of a domain as it is to be sent to, those that it prefers if there are many: a domain that has none is its own exchanger, with the addresses of both kinds
 * (RFC 5321 section 5.1). mx-connect would leave AAAA out where there is an A. @throws what `resolve` throws, unless it found none
 */
export async function exchangerRecords(
  domain: string,
  resolve: () => Promise<MxRecord[]>,
  ownHosts: readonly string[],
): Promise<MxRecord[]> {
  try {
    const records = inAnyOrder(withoutOurs(await resolve(), ownHosts));
    return records.sort((one, other) => one.priority - other.priority).slice(0, mostExchangers);
  } catch (error) {
    if (isNotFound(error)) return [{ exchange: domain, priority: 0 }];
    throw error;
  }
}

/**
 * Of a list that names us, those before us (RFC 5321 section 5.1): we would refuse what is not for us, and the message would be lost while
 * they are away. Where none is before us, it is for us.
 */
function withoutOurs(records: MxRecord[], ownHosts: readonly string[]): MxRecord[] {
  const ours = records.filter(({ exchange }) => ownHosts.includes(exchange.toLowerCase()));
  const before = records.filter(({ priority }) => ours.every((own) => priority < own.priority));
  return before.length > 0 ? before : records;
}

/** So that those of the same preference share the load (RFC 5321 section 5.1). mx-connect sorts by preference, and keeps this order within one. */
function inAnyOrder<T>(records: readonly T[]): T[] {
  return records
    .map((record) => ({ record, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ record }) => record);
}

function isNotFound(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "ENODATA" || code === "ENOTFOUND";
}
