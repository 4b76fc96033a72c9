import type { z } from "zod";
import { domainOf } from "../../message/address/addr-spec.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable } from "../../platform/db/types.ts";
import type { Domains } from "../addresses/domains.ts";
import { withoutSubaddress } from "../addresses/local-part.ts";
import { addressKey, envelopeAddress, type Mailbox, readMailbox, readRecipient } from "../addresses/mailbox.ts";
import type { Resolution, Route } from "../contract.ts";

type Answer = z.output<typeof Resolution>;

interface RouteRow {
  position: number;
  isServed: boolean;
  id: string | null;
  ownerId: string;
  proxyAddress: string;
  callbackUrl: string;
  isBrowsable: boolean;
  isStorageFull: boolean;
  targetIds: string[] | null;
  targets: string[] | null;
}

const askedAddresses = recordSet({ key: "text", baseKey: "text", domain: "text" });

/**
 * Each address takes two lookups in one unique index, whatever the number of bindings: the address itself, and the address
 * without its subaddress. The exact match wins.
 */
const routes = `
  select asked.position, binding.*, target.*, asked.domain = $2 or exists (
           select from custom_domain where name = asked.domain and verified_at is not null) as is_served
    from ${askedAddresses.fromOrdered("asked")}
    left join lateral (
      select id, owner_id, proxy_address, callback_url, is_browsable,
             exists (select from full_storage where full_storage.owner_id = binding.owner_id) as is_storage_full from binding
       where proxy_address_key in (asked.key, asked.base_key)
       order by proxy_address_key = asked.key desc limit 1) as binding on true
    left join lateral (
      select array_agg(real_address.id order by real_address.id) as target_ids, array_agg(address order by real_address.id) as targets
        from real_address
       where binding_id = binding.id and is_enabled and not is_internal and verified_at is not null) as target on true`;

/**
 * The current route of each address, in the order asked. Mail to `alias+tag@` goes where mail to `alias@` does (RFC 5233
 * subaddressing). What cannot be parsed as an address is nobody's.
 */
export async function resolveAddresses(
  queryable: Queryable,
  domains: Domains,
  addresses: readonly string[],
): Promise<Answer[]> {
  const asked = addresses.flatMap((address, position) => {
    const { mailbox } = readRecipient(address);
    return mailbox ? [{ address, position, mailbox }] : [];
  });
  const answers = addresses.map(
    (address): Answer => ({ outcome: isOn(domains.service, address) ? "unknown" : "foreign", address }),
  );
  if (asked.length === 0) return answers;
  const { rows } = await queryable.query<RouteRow>(
    routes,
    [
      ...askedAddresses.params(
        asked.map(({ mailbox }) => ({ key: mailbox.key, baseKey: baseKey(mailbox), domain: mailbox.domain })),
      ),
      domains.service,
    ],
    { name: "bindings.resolve" },
  );
  for (const row of rows) {
    const question = asked[row.position - 1];
    if (question) answers[question.position] = answer(question.address, row);
  }
  return answers;
}

function answer(address: string, row: RouteRow): Answer {
  if (row.id === null) return { outcome: row.isServed ? "unknown" : "foreign", address };
  const route: z.output<typeof Route> = {
    bindingId: row.id,
    ownerId: row.ownerId,
    proxyAddress: row.proxyAddress,
    targets: (row.targetIds ?? []).map((addressId, at) => ({
      addressId,
      address: envelopeForm(row.targets?.[at] ?? ""),
    })),
    callbackUrl: row.callbackUrl,
    isBrowsable: row.isBrowsable,
    isStorageFull: row.isStorageFull,
  };
  return { outcome: "route", address, route };
}

function baseKey({ localPart, domain }: Mailbox): string {
  return addressKey(withoutSubaddress(localPart), domain);
}

function envelopeForm(address: string): string {
  const { mailbox, fault } = readMailbox(address);
  if (!mailbox) throw new Error(`a real address that was taken once ${fault}`);
  return envelopeAddress(mailbox);
}

/** Whether something that is no valid address ends in a domain all the same. */
function isOn(domain: string, address: string): boolean {
  return domainOf(address) === domain;
}
