import type { z } from "zod";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable, Transaction } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { EmailAddress } from "../addresses/email-address.ts";
import { generateLocalPart } from "../addresses/generated.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { bindingLimits } from "../contract.ts";
import { provedAt } from "../targets/proved-at.ts";
import { checkAddress } from "../validation.ts";
import type { GivenTarget } from "./contract.ts";

type Target = z.output<typeof GivenTarget>;

const maxPerBinding = bindingLimits.realAddresses;

const givenAddresses = recordSet({
  id: "uuid",
  address: "text",
  key: "text",
  isEnabled: "boolean",
  isInternal: "boolean",
});

/** A real address as a request gives it. */
interface GivenAddress {
  readonly emailAddress: EmailAddress;
  readonly isEnabled: boolean;
  /** Absent: as it is. */
  readonly spfSuffices?: boolean | undefined;
  /** Its place in the contract's input, for errors. */
  readonly field: string;
}

/** A real address that the binding did not have before, and that is not verified yet. */
export interface UnverifiedAddress {
  readonly id: string;
  readonly emailAddress: EmailAddress;
}

/** Reads what a creation lists; a plain address is enabled. @throws Refusal ValidationFailed */
export function readAddressList(given: readonly (string | Target)[]): GivenAddress[] {
  checkCount(given.length);
  const targets = given.map((each) => (typeof each === "string" ? { address: each, isEnabled: true } : each));
  return withoutDuplicates(targets.map((target, at) => readAddress(`realAddresses[${at}]`, target)));
}

/** Reads the whole new set of a change. @throws Refusal ValidationFailed */
export function readAddressSet(entries: readonly Target[]): GivenAddress[] {
  if (entries.length === 0)
    throw invalidField("realAddresses", "must not be empty: a binding needs at least one real address.");
  checkCount(entries.length);
  return withoutDuplicates(entries.map((target, at) => readAddress(`realAddresses: entry ${at + 1}`, target)));
}

/** One more address; one that is there stays as it is. @throws Refusal ValidationFailed */
export function withAddress(addresses: readonly GivenAddress[], address: string): GivenAddress[] {
  const added = readAddress("newRealAddress", { address, isEnabled: true });
  if (addresses.some(({ emailAddress }) => emailAddress.key === added.emailAddress.key)) return [...addresses];
  if (addresses.length === maxPerBinding)
    throw invalidField(added.field, `would be one more than the ${maxPerBinding} addresses that a binding can have.`);
  return [...addresses, added];
}

function checkCount(count: number): void {
  if (count > maxPerBinding) throw invalidField("realAddresses", `has more than ${maxPerBinding} addresses.`);
}

function readAddress(field: string, { address, isEnabled, spfSuffices }: Target): GivenAddress {
  return { emailAddress: checkAddress(field, address), isEnabled, spfSuffices, field };
}

/** The same address twice counts once. @throws Refusal ValidationFailed where it is once enabled and once not. */
function withoutDuplicates(addresses: readonly GivenAddress[]): GivenAddress[] {
  const byKey = new Map<string, GivenAddress>();
  for (const address of addresses) {
    const former = byKey.get(address.emailAddress.key);
    if (former && former.isEnabled !== address.isEnabled) {
      throw invalidField(address.field, "the address is there twice, once enabled and once not.");
    }
    if (!former) byKey.set(address.emailAddress.key, address);
  }
  return [...byKey.values()];
}

/** An address on the reserved internal domain, for a binding that is only browsed or called back. */
export function generateInternalAddress(domains: ServedDomains): GivenAddress {
  return readAddress("realAddresses", { address: `${generateLocalPart()}@${domains.internal}`, isEnabled: true });
}

/** @throws Refusal ValidationFailed for an address of the service itself: mail would loop. */
export async function checkNotServed(
  queryable: Queryable,
  domains: ServedDomains,
  addresses: readonly Pick<GivenAddress, "emailAddress" | "field">[],
): Promise<void> {
  const served = await domains.served(
    queryable,
    addresses.map(({ emailAddress }) => emailAddress.domain),
  );
  const own = addresses.find(({ emailAddress }) => served.has(emailAddress.domain));
  if (own)
    throw invalidField(own.field, "the address is one of the service itself, and mail cannot be forwarded to it.");
}

/**
 * Makes a binding's real addresses exactly those given. One that stays keeps its id and its verification, and takes the
 * new spelling. A new one that the same account has verified already, as its own address or in another binding, counts as
 * verified. The caller holds the owner's lock. Returns the new addresses that have yet to be verified.
 */
export async function replaceRealAddresses(
  tx: Transaction,
  { bindingId, ownerId, domains }: { bindingId: string; ownerId: string; domains: ServedDomains },
  addresses: readonly GivenAddress[],
): Promise<UnverifiedAddress[]> {
  const keys = addresses.map(({ emailAddress }) => emailAddress.key);
  await tx.query("delete from real_address where binding_id = $1 and address_key <> all ($2)", [bindingId, keys]);
  const added = new Map(addresses.map((address) => [newId(), address]));
  const { rows } = await tx.query<{ id: string }>(
    `insert into real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
     select given.id, $1, $2, given.address, given.key, given.is_enabled, given.is_internal,
            case when not given.is_internal then ${provedAt("$2", "given.key")} end
       from ${givenAddresses.from("given", 3)}
     on conflict (binding_id, address_key) do update set address = excluded.address, is_enabled = excluded.is_enabled,
            suspended_at = case when not excluded.is_enabled then real_address.suspended_at end
     returning case when verified_at is null and not is_internal then id end as id`,
    [
      bindingId,
      ownerId,
      ...givenAddresses.params(
        [...added].map(([id, { emailAddress, isEnabled }]) => ({
          id,
          address: emailAddress.spelling,
          key: emailAddress.key,
          isEnabled,
          isInternal: domains.isInternal(emailAddress.domain),
        })),
      ),
    ],
  );
  await updateProofs(tx, bindingId, addresses);
  // An address that was there before has kept its former id.
  return rows.flatMap(({ id }) => {
    const address = added.get(id);
    return address ? [{ id, emailAddress: address.emailAddress }] : [];
  });
}

/** Whether SPF suffices is a switch of its own: most changes of the set leave it out. */
async function updateProofs(tx: Transaction, bindingId: string, addresses: readonly GivenAddress[]): Promise<void> {
  const given = addresses.filter(({ spfSuffices }) => spfSuffices !== undefined);
  if (given.length === 0) return;
  const keysOf = (wanted: boolean) =>
    given.filter(({ spfSuffices }) => spfSuffices === wanted).map(({ emailAddress }) => emailAddress.key);
  await tx.query(
    `update real_address set spf_suffices = address_key = any ($2::text[])
      where binding_id = $1 and (address_key = any ($2::text[]) or address_key = any ($3::text[]))`,
    [bindingId, keysOf(true), keysOf(false)],
  );
}
