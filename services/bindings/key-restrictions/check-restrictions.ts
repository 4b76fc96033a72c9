import type { z } from "zod";
import type { Queryable } from "../../platform/db/types.ts";
import { selectBindings } from "../proxy-bindings/rows.ts";
import type { KeyRestrictions as KeyRestrictionsSchema } from "./contract.ts";
import { KeyRestrictions } from "./key-restrictions.ts";

interface Request {
  readonly ownerId: string;
  readonly apiKey: z.output<typeof KeyRestrictionsSchema> | undefined;
}

/** Refuses a change of what belongs to a binding outside a key's restrictions; a binding that does not exist passes. @throws Refusal Forbidden */
export function checkBindingRestrictions(
  tx: Queryable,
  asked: Request & { readonly bindingId: string },
): Promise<void> {
  return checkRestrictions(tx, asked, "where id = $1 and owner_id = $2", [asked.bindingId, asked.ownerId]);
}

/** The same for a contact, by its binding. @throws Refusal Forbidden */
export function checkContactRestrictions(
  tx: Queryable,
  asked: Request & { readonly contactId: string },
): Promise<void> {
  const rest = "where id = (select binding_id from contact where contact.id = $1) and owner_id = $2";
  return checkRestrictions(tx, asked, rest, [asked.contactId, asked.ownerId]);
}

/** The same for all bindings on a domain of the account's. @throws Refusal Forbidden */
export function checkDomainRestrictions(tx: Queryable, asked: Request & { readonly name: string }): Promise<void> {
  return checkRestrictions(tx, asked, "where own_domain = $1 and owner_id = $2", [asked.name, asked.ownerId]);
}

async function checkRestrictions(
  tx: Queryable,
  { ownerId, apiKey }: Request,
  rest: string,
  params: readonly unknown[],
) {
  const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
  if (!restrictions.areSet) return;
  for (const binding of await selectBindings(tx, rest, params)) restrictions.checkBinding(binding);
}
