import type { z } from "zod";
import type { Queryable } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { noSuchDomain, selectDomain } from "../domains/rows.ts";
import { checkPatterns, listPatterns } from "../patterns/domain-patterns.ts";
import { noSuchBinding } from "../proxy-bindings/rows.ts";
import { Bounds } from "../targets/bounds.ts";
import type { Bounds as BoundsSchema } from "../targets/contract.ts";
import { requireBindingWithin, requireDomainWithin } from "../targets/require-within.ts";
import { invalid } from "../validation.ts";
import type { Rule, RuleScope } from "./rows.ts";

/** The scope that a request names. @throws Refusal ValidationFailed for two, NotFound where it is not the owner's */
export async function readScope(
  db: Queryable,
  ownerId: string,
  { bindingId = null, domainId = null }: Partial<Record<keyof RuleScope, string | null | undefined>>,
): Promise<RuleScope> {
  if (bindingId !== null && domainId !== null)
    throw invalid("domainId", "cannot be beside bindingId: a rule is for a proxy address or for a domain.");
  if (bindingId !== null) {
    const { rowCount } = isId(bindingId)
      ? await db.query("select from binding where id = $1 and owner_id = $2", [bindingId, ownerId])
      : { rowCount: 0 };
    if (rowCount === 0) throw noSuchBinding();
  }
  if (domainId !== null) {
    if (!isId(domainId)) throw noSuchDomain();
    await selectDomain(db, ownerId, domainId);
  }
  return { bindingId, domainId };
}

/**
 * Holds a change of rules with a scope to a key's bounds: to those of every binding that the rules are for. A rule for all mail is beyond
 * any bounds. @throws Refusal Forbidden
 */
export async function requireScopeWithin(
  tx: Queryable,
  { ownerId, within }: { ownerId: string; within: z.output<typeof BoundsSchema> | undefined },
  { bindingId, domainId }: RuleScope,
): Promise<Bounds> {
  const bounds = await Bounds.of(tx, ownerId, within);
  if (!bounds.areSet) return bounds;
  if (bindingId !== null) await requireBindingWithin(tx, { ownerId, bindingId, within });
  else if (domainId !== null) {
    const { name } = await selectDomain(tx, ownerId, domainId);
    bounds.checkDomain(name);
    checkPatterns(bounds, await listPatterns(tx, ownerId, domainId));
    await requireDomainWithin(tx, { ownerId, name, within });
  } else {
    const sentence = "This API key is good for some proxy addresses alone, and a rule of the account is for all.";
    throw new Refusal("Forbidden", { public: sentence });
  }
  return bounds;
}

/** Of a rule that is there. @throws Refusal Forbidden where it forwards out of a key's bounds */
export function checkFormer(bounds: Bounds, { actions }: Rule): void {
  const addresses = (actions.forwardTo ?? []).map((address) => parseEmailAddress(address).emailAddress ?? { key: "" });
  bounds.checkLeadsTo(addresses, undefined);
}
