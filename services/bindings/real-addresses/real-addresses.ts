import type { Queryable, Transaction } from "../../platform/db/types.ts";
import { newId } from "../../platform/ids.ts";
import type { Domains } from "../addresses/domains.ts";
import { generateLocalPart } from "../addresses/generated.ts";
import type { Mailbox } from "../addresses/mailbox.ts";
import { checkMailbox, invalid } from "../proxy-bindings/validation.ts";

/** How many real addresses one binding may forward to. */
const mostPerBinding = 10;

/** A real address as a request wants it. */
export interface WantedAddress {
  readonly mailbox: Mailbox;
  readonly isEnabled: boolean;
  /** How the caller knows it, for what is wrong with it. */
  readonly member: string;
}

/** A real address that the binding did not have, and that is yet to be proved. */
export interface UnprovedAddress {
  readonly id: string;
  readonly mailbox: Mailbox;
}

/** Reads what a creation lists. @throws Refusal ValidationFailed */
export function readAddressList(addresses: readonly string[]): WantedAddress[] {
  checkCount(addresses.length);
  return withoutRepetition(addresses.map((address, at) => wanted(`real_addresses[${at}]`, address, true)));
}

/** Reads the whole new set of a change, which REST takes as a map: its entries are counted from 1. @throws Refusal ValidationFailed */
export function readAddressSet(entries: readonly { address: string; isEnabled: boolean }[]): WantedAddress[] {
  if (entries.length === 0)
    throw invalid("real_addresses", "must not be empty: a binding needs at least one real address.");
  checkCount(entries.length);
  return withoutRepetition(
    entries.map(({ address, isEnabled }, at) => wanted(`real_addresses: entry ${at + 1}`, address, isEnabled)),
  );
}

function checkCount(count: number): void {
  if (count > mostPerBinding) throw invalid("real_addresses", `has more than ${mostPerBinding} addresses.`);
}

function wanted(member: string, address: string, isEnabled: boolean): WantedAddress {
  return { mailbox: checkMailbox(member, address), isEnabled, member };
}

/** The same address twice is one; said to be both enabled and not, it is a mistake. */
function withoutRepetition(addresses: readonly WantedAddress[]): WantedAddress[] {
  const byKey = new Map<string, WantedAddress>();
  for (const address of addresses) {
    const former = byKey.get(address.mailbox.key);
    if (former && former.isEnabled !== address.isEnabled) {
      throw invalid(address.member, "the address is there twice, once enabled and once not.");
    }
    if (!former) byKey.set(address.mailbox.key, address);
  }
  return [...byKey.values()];
}

/** An address that nothing is ever sent to, for a binding that is only browsed or called back. */
export function madeUpAddress(domains: Domains): WantedAddress {
  return wanted("real_addresses", `${generateLocalPart()}@${domains.internal}`, true);
}

/** @throws Refusal ValidationFailed for an address of the service itself: mail would go round in circles. */
export async function checkNotServed(
  queryable: Queryable,
  domains: Domains,
  addresses: readonly WantedAddress[],
): Promise<void> {
  const served = await domains.served(
    queryable,
    addresses.map(({ mailbox }) => mailbox.domain),
  );
  const own = addresses.find(({ mailbox }) => served.has(mailbox.domain));
  if (own) throw invalid(own.member, "the address is one of the service itself, and mail cannot be forwarded to it.");
}

/**
 * Makes a binding's real addresses exactly those wanted. One that stays keeps its id and its proof, and is shown as it is
 * spelt now. A new one that the same account has proved already, as its own address or in another binding, is proved.
 * The owner is locked.
 */
export async function replaceRealAddresses(
  tx: Transaction,
  { bindingId, ownerId, domains }: { bindingId: string; ownerId: string; domains: Domains },
  addresses: readonly WantedAddress[],
): Promise<UnprovedAddress[]> {
  const keys = addresses.map(({ mailbox }) => mailbox.key);
  await tx.query("delete from real_address where binding_id = $1 and address_key <> all ($2)", [bindingId, keys]);
  const newcomers = new Map(addresses.map(({ mailbox }) => [newId(), mailbox]));
  const { rows } = await tx.query<{ id: string }>(
    `insert into real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
     select wanted.id, $1, $2, wanted.address, wanted.key, wanted.is_enabled, wanted.is_internal, proof.verified_at
       from unnest($3::uuid[], $4::text[], $5::text[], $6::boolean[], $7::boolean[]) as wanted (id, address, key, is_enabled, is_internal)
       left join lateral (
         select min(verified_at) as verified_at
           from (select verified_at from real_address where owner_id = $2 and address_key = wanted.key
                 union all
                 select own_address_verified_at from owner where id = $2 and own_address_key = wanted.key) as proved
          where not wanted.is_internal) as proof on true
     on conflict (binding_id, address_key) do update set address = excluded.address, is_enabled = excluded.is_enabled
     returning case when verified_at is null and not is_internal then id end as id`,
    [
      bindingId,
      ownerId,
      [...newcomers.keys()],
      addresses.map(({ mailbox }) => mailbox.spelling),
      keys,
      addresses.map(({ isEnabled }) => isEnabled),
      addresses.map(({ mailbox }) => domains.isInternal(mailbox.domain)),
    ],
  );
  // What was there before has kept the id that it had.
  return rows.flatMap(({ id }) => {
    const mailbox = newcomers.get(id);
    return mailbox ? [{ id, mailbox }] : [];
  });
}
