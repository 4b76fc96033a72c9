import type { Transaction } from "../../platform/db/types.ts";
import { newId } from "../../platform/ids.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { insertBindings } from "../proxy-bindings/rows.ts";
import { generateInternalAddress } from "../real-addresses/real-addresses.ts";
import type { DomainRow } from "./rows.ts";

const description = "Mail to postmaster and abuse of your domain, which every domain has to take.";

/**
 * Frees the addresses that other accounts had on a domain: their bindings stay with what was received, and lead nowhere. A key with
 * a space in it is no address's.
 */
export async function releaseAddresses(tx: Transaction, name: string, ownerId: string): Promise<void> {
  await tx.query(
    `update binding set proxy_address_key = proxy_address_key || ' ' || id, updated_at = clock_timestamp()
      where own_domain = $1 and owner_id <> $2 and strpos(proxy_address_key, ' ') = 0`,
    [name, ownerId],
  );
}

/**
 * The binding of postmaster@ and abuse@, unless it is there: to the account's own address, and kept for reading where it has none, or
 * where that is on a domain whose mail comes here: it would go round in circles. The owner is locked.
 */
export async function ensurePostmaster(
  tx: Transaction,
  { name, ownerId }: DomainRow,
  domains: ServedDomains,
): Promise<void> {
  const { emailAddress, fault } = parseEmailAddress(`postmaster@${name}`);
  if (!emailAddress) throw new Error(`the address of a postmaster ${fault}`);
  const { rowCount } = await tx.query("select from binding where proxy_address_key = $1", [emailAddress.key]);
  if (rowCount > 0) return;
  const { rows } = await tx.query<{ ownAddress: string | null }>(
    "select own_address from owner where id = $1 and closed_at is null",
    [ownerId],
  );
  if (!rows[0]) return;
  const { ownAddress } = rows[0];
  const isReachable = ownAddress !== null && !(await isServed(tx, ownAddress, name, domains));
  const id = newId();
  const settings = { description, isBrowsable: !isReachable };
  await insertBindings(tx, [{ id, ownerId, proxyAddress: emailAddress, isAutomatic: true, settings }]);
  await tx.query(
    `insert into real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
     select $1, $2, owner.id, case when $5 then own_address else $4 end, case when $5 then own_address_key else $4 end, true, not $5,
            case when $5 then own_address_verified_at end
       from owner where id = $3`,
    [newId(), id, ownerId, generateInternalAddress(domains).emailAddress.key, isReachable],
  );
}

/** Whether mail to an address comes here; that of the domain that is being proved does from now on. */
async function isServed(tx: Transaction, address: string, name: string, domains: ServedDomains): Promise<boolean> {
  const domain = parseEmailAddress(address).emailAddress?.domain ?? "";
  return domain === name || (await domains.served(tx, [domain])).has(domain);
}
