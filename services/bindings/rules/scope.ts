import type { Queryable } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { noSuchDomain, selectDomain } from "../domains/rows.ts";
import type { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { checkPatterns, listPatterns } from "../patterns/domain-patterns.ts";
import { noSuchBinding, selectBindings } from "../proxy-bindings/rows.ts";
import type { Rule, RuleScope } from "./rows.ts";

/** The scope that a request names. @throws Refusal ValidationFailed for two, NotFound where it is not the owner's */
export async function readScope(
  db: Queryable,
  ownerId: string,
  { bindingId = null, domainId = null }: Partial<Record<keyof RuleScope, string | null | undefined>>,
): Promise<RuleScope> {
  if (bindingId !== null && domainId !== null)
    throw invalidField("domainId", "cannot be beside bindingId: a rule is for a proxy address or for a domain.");
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

/** An account, and the restrictions of the key that asks for it. */
export interface RestrictedOwner {
  readonly ownerId: string;
  readonly restrictions: KeyRestrictions;
}

/**
 * Holds a change of rules with a scope to a key's restrictions: every binding that the rules are for. A rule for all mail is outside
 * any restrictions. @throws Refusal Forbidden
 */
export async function checkScopeRestrictions(
  tx: Queryable,
  { ownerId, restrictions }: RestrictedOwner,
  { bindingId, domainId }: RuleScope,
): Promise<void> {
  if (!restrictions.areSet) return;
  const checkBindings = async (rest: string, param: string) => {
    for (const binding of await selectBindings(tx, `where owner_id = $1 and ${rest}`, [ownerId, param]))
      restrictions.checkBinding(binding);
  };
  if (bindingId !== null) await checkBindings("id = $2", bindingId);
  else if (domainId !== null) {
    const { name } = await selectDomain(tx, ownerId, domainId);
    restrictions.checkDomain(name);
    checkPatterns(restrictions, await listPatterns(tx, ownerId, domainId));
    await checkBindings("own_domain = $2", name);
  } else {
    const sentence = "This API key is good for some proxy addresses alone, and a rule of the account is for all.";
    throw new Refusal("Forbidden", { public: sentence });
  }
}

/** Of a rule that was not given by the key. @throws Refusal Forbidden where it forwards out of a key's restrictions */
export function checkForwardTo(restrictions: KeyRestrictions, { actions }: Pick<Rule, "actions">): void {
  const addresses = (actions.forwardTo ?? []).map((address) => parseEmailAddress(address).emailAddress ?? { key: "" });
  restrictions.checkTargets(addresses, undefined);
}
