import type { z } from "zod";
import type { Queryable } from "../../platform/db/types.ts";
import { selectBindings } from "../proxy-bindings/rows.ts";
import { Bounds } from "./bounds.ts";
import type { Bounds as BoundsSchema } from "./contract.ts";

interface AskedFor {
  readonly ownerId: string;
  readonly within: z.output<typeof BoundsSchema> | undefined;
}

/** Holds a change of what belongs to a binding to a key's bounds; one that is not there passes. @throws Refusal Forbidden */
export function requireBindingWithin(tx: Queryable, asked: AskedFor & { readonly bindingId: string }): Promise<void> {
  return requireWithin(tx, asked, "where id = $1 and owner_id = $2", [asked.bindingId, asked.ownerId]);
}

/** The same for a contact, by its binding. @throws Refusal Forbidden */
export function requireContactWithin(tx: Queryable, asked: AskedFor & { readonly contactId: string }): Promise<void> {
  const rest = "where id = (select binding_id from contact where contact.id = $1) and owner_id = $2";
  return requireWithin(tx, asked, rest, [asked.contactId, asked.ownerId]);
}

/** The same for all bindings on a domain of the account's. @throws Refusal Forbidden */
export function requireDomainWithin(tx: Queryable, asked: AskedFor & { readonly name: string }): Promise<void> {
  return requireWithin(tx, asked, "where own_domain = $1 and owner_id = $2", [asked.name, asked.ownerId]);
}

async function requireWithin(tx: Queryable, { ownerId, within }: AskedFor, rest: string, params: readonly unknown[]) {
  const bounds = await Bounds.of(tx, ownerId, within);
  if (!bounds.areSet) return;
  for (const binding of await selectBindings(tx, rest, params)) bounds.checkBinding(binding);
}
