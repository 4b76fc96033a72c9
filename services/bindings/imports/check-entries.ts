import type { Queryable } from "../../platform/db/types.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { quotaOf } from "../proxy-bindings/quota.ts";
import type { Entry } from "./entries.ts";

/** What the first look says of an entry. */
export interface CheckedEntry {
  readonly entry: Entry;
  readonly verdict: "same" | "new" | "exists" | "refused";
  readonly detail: string;
  /** Of an address, as it is compared. */
  readonly addressKey: string | null;
}

interface Known {
  readonly domains: ReadonlySet<string>;
  readonly ownDomains: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

interface Parts {
  db: Queryable;
  domains: ServedDomains;
  ownerId: string;
  /** Bindings that the account may have. */
  quota: number;
}

/**
 * Says of each entry what would become of it. Only what the account itself has is looked at: whether somebody else has an address is found
 * out when it is made, and counts towards the limit on addresses that are chosen, so that nobody asks for all of them here.
 */
export async function checkEntries(
  { db, domains, ownerId, quota }: Parts,
  entries: readonly Entry[],
): Promise<CheckedEntry[]> {
  const known = await knownOf(db, domains, ownerId, entries);
  const { used } = await quotaOf(db, ownerId, quota);
  const seen = new Set<string>();
  let room = quota - used;
  return entries.map((entry): CheckedEntry => {
    if (entry.kind !== "address") return { entry, ...checkOther(entry, known), addressKey: null };
    const { emailAddress, fault } = parseEmailAddress(entry.address);
    if (!emailAddress) return refused(entry, `The address ${fault}.`);
    const { key, domain } = emailAddress;
    if (seen.has(key)) return refused(entry, "It is there twice.");
    seen.add(key);
    if (known.addresses.has(key)) return { entry, verdict: "exists", detail: "", addressKey: key };
    room -= 1;
    if (room < 0) return { ...refused(entry, `No more than ${quota} proxy addresses are available.`), addressKey: key };
    if (known.domains.has(domain)) return { entry, verdict: "same", detail: "", addressKey: key };
    return { entry, verdict: "new", detail: `${domain} is no domain that you have proved here.`, addressKey: key };
  });
}

function refused(entry: Entry, detail: string): CheckedEntry {
  return { entry, verdict: "refused", detail, addressKey: null };
}

function checkOther(entry: Entry, { ownDomains }: Known): Pick<CheckedEntry, "verdict" | "detail"> {
  if (entry.kind === "domain" && ownDomains.has(entry.name.toLowerCase())) return { verdict: "exists", detail: "" };
  const detail = entry.kind === "domain" ? "Publish its records to prove it." : "";
  return { verdict: "same", detail };
}

async function knownOf(
  db: Queryable,
  domains: ServedDomains,
  ownerId: string,
  entries: readonly Entry[],
): Promise<Known> {
  const addresses = entries.flatMap((entry) =>
    entry.kind === "address" ? (parseEmailAddress(entry.address).emailAddress ?? []) : [],
  );
  const served = await domains.served(db, [...new Set(addresses.map(({ domain }) => domain))]);
  const proved = [...served].filter(([, holder]) => holder === null || holder.ownerId === ownerId);
  const { rows: own } = await db.query<{ key: string }>(
    "select proxy_address_key as key from binding where owner_id = $1 and proxy_address_key = any ($2)",
    [ownerId, addresses.map(({ key }) => key)],
  );
  const { rows: added } = await db.query<{ name: string }>(
    "select name from domain where owner_id = $1 and state <> 'removed'",
    [ownerId],
  );
  return {
    domains: new Set(proved.map(([name]) => name)),
    ownDomains: new Set(added.map(({ name }) => name)),
    addresses: new Set(own.map(({ key }) => key)),
  };
}
