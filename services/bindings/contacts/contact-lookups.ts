import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { readRecipient } from "../addresses/email-address.ts";
import { ContactFault } from "./contract.ts";

const { removed, blocked, "answers-off": answersOff } = ContactFault.enum;

/** The addresses of those contacts of a binding that exist. @param tokens in any letter case */
export async function contactAddresses(db: Database, bindingId: string, tokens: readonly string[]) {
  const { rows } = await db.query<{ token: string; address: string }>(
    "select token, address from contact where binding_id = $1 and token = any ($2::text[])",
    [bindingId, tokens.map((token) => token.toLowerCase())],
    { name: "contacts.by_token" },
  );
  return rows;
}

/** Those of the contacts that cannot be written to: removed, perhaps with their binding; blocked; or of a binding that does not answer. */
export async function contactFaults(db: Database, contactIds: readonly string[]) {
  const { rows } = await db.query<{ contactId: string; fault: z.output<typeof ContactFault> }>(
    `select asked.id as contact_id,
            case when contact.id is null then '${removed}' when blocked_at is not null then '${blocked}' else '${answersOff}' end as fault
       from unnest($1::uuid[]) as asked (id)
       left join contact on contact.id = asked.id left join binding on binding.id = binding_id
      where contact.id is null or blocked_at is not null or not answers`,
    [contactIds],
    { name: "contacts.faults" },
  );
  return rows;
}

/** Every real address of the account that a binding belongs to, each once. */
export async function realAddressesOfOwner(db: Database, bindingId: string): Promise<string[]> {
  const { rows } = await db.query<{ address: string }>(
    `select distinct real.address from binding join real_address as real on real.owner_id = binding.owner_id and not is_internal
      where binding.id = $1`,
    [bindingId],
    { name: "contacts.real_addresses" },
  );
  return rows.map(({ address }) => address);
}

/** Those of the bindings that have blocked one of the addresses. */
export async function blockedBy(
  db: Database,
  bindingIds: readonly string[],
  addresses: readonly string[],
): Promise<string[]> {
  const keys = addresses.flatMap((address) => readRecipient(address).emailAddress?.key ?? []);
  const { rows } = await db.query<{ bindingId: string }>(
    "select distinct binding_id from contact where binding_id = any ($1::uuid[]) and address_key = any ($2::text[]) and blocked_at is not null",
    [bindingIds, keys],
    { name: "contacts.blocked" },
  );
  return rows.map(({ bindingId }) => bindingId);
}
