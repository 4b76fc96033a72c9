import type { z } from "zod";
import { splitAddress } from "../../message/address/addr-spec.ts";
import { asciiDomain } from "../../message/address/domain-name.ts";
import { reverseToken } from "../../message/address/reverse-address.ts";
import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { isStorageFull } from "../owners/full-storage.ts";
import type { ReverseRoute } from "./contract.ts";

type ReverseRow = z.output<typeof ReverseRoute> & { token: string };

/** Whether an address has exactly the form of a reverse address. */
export function isReverseAddress(address: string): boolean {
  return reverseToken(address) !== undefined;
}

/** The contacts that reverse addresses lead to, by address as given; those that lead nowhere are absent. */
export async function resolveReverse(
  queryable: Queryable,
  addresses: readonly string[],
): Promise<Map<string, z.output<typeof ReverseRoute>>> {
  const tokens = addresses.flatMap((address) => reverseToken(address) ?? []);
  if (tokens.length === 0) return new Map();
  const { rows } = await queryable.query<ReverseRow>(
    `select token, contact.id as contact_id, binding.id as binding_id, binding.owner_id, proxy_address, is_browsable,
            ${isStorageFull("binding.owner_id")} as is_storage_full,
            ${isAccountDisabled("binding.owner_id")} as is_account_disabled,
            own_domain is null or exists (
              select from domain
               where name = own_domain and domain.owner_id = binding.owner_id and published_selectors <> '{}') as is_signable
       from contact join binding on binding.id = binding_id where token = any ($1::text[])`,
    [tokens],
    { name: "contacts.resolve" },
  );
  const byToken = new Map(rows.map(({ token, ...row }) => [token, row]));
  return new Map(
    addresses.flatMap((address) => {
      const found = byToken.get(reverseToken(address) ?? "");
      const isThere = found && isOnDomainOf(found.proxyAddress, address);
      return isThere ? [[address, found] as const] : [];
    }),
  );
}

/** A token is good on the domain of its proxy address alone. */
function isOnDomainOf(proxyAddress: string, address: string): boolean {
  return asciiDomain(splitAddress(address).domain) === parseEmailAddress(proxyAddress).emailAddress?.domain;
}
