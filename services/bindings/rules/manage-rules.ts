import { NIL } from "uuid";
import type { z } from "zod";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { isId, newId } from "../../platform/ids.ts";
import { type EmailAddress, withReplaced } from "../addresses/email-address.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import type { bindingsContract } from "../contract.ts";
import { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { checkName } from "../validation.ts";
import { checkActions, checkForwarding } from "./check-actions.ts";
import { checkConditions } from "./check-conditions.ts";
import { changeRules, renumber, setPosition } from "./positions.ts";
import { checkRuleQuota } from "./quota.ts";
import {
  inOrder,
  noSuchRule,
  ofScope,
  type Rule,
  type RuleScope,
  scopeParams,
  selectRule,
  selectRules,
} from "./rows.ts";
import { checkForwardTo, checkScopeRestrictions, type RestrictedOwner, readScope } from "./scope.ts";

type Input<Name extends keyof typeof bindingsContract.procedures> = z.output<
  (typeof bindingsContract.procedures)[Name]["input"]
>;

interface RuleDependencies {
  db: Database;
  domains: ServedDomains;
}

type Content = Pick<Rule, "name" | "conditions" | "actions" | "expiresAt">;

/** Of a binding, of a domain, or all of the account's. @throws Refusal NotFound, ValidationFailed for both */
export async function listRules(db: Database, { ownerId, bindingId, domainId }: Input<"listRules">): Promise<Rule[]> {
  const scope = await readScope(db, ownerId, { bindingId, domainId });
  if (scope.bindingId === null && scope.domainId === null)
    return selectRules(db, `where owner_id = $1 ${inOrder}`, [ownerId]);
  return selectRules(db, `where ${ofScope} ${inOrder}`, scopeParams(ownerId, scope));
}

export function getRules(db: Database, { ownerId, ids }: Input<"getRules">): Promise<Rule[]> {
  return selectRules(db, "where owner_id = $1 and id = any ($2::uuid[])", [ownerId, ids.filter(isId)]);
}

export function rulesOfScopes(db: Database, { ownerId, ids }: Input<"rulesOfScopes">): Promise<Rule[]> {
  const where = "owner_id = $1 and (binding_id = any ($2::uuid[]) or domain_id = any ($2::uuid[]))";
  return selectRules(db, `where ${where} ${inOrder}`, [ownerId, ids]);
}

/** Makes the rule exactly what is given. @throws Refusal ValidationFailed, NotFound, QuotaExceeded, Forbidden; nothing is changed then */
export function putRule(
  { db, domains }: RuleDependencies,
  put: Input<"putRule">,
): Promise<{ rule: Rule; isCreated: boolean }> {
  const { ownerId, position, apiKey, name = "", conditions, actions, expiresAt = null } = put;
  const id = readId(put.id);
  if (position !== undefined && position < 0) throw invalidField("position", "is less than 0.");
  const checked = {
    name: checkName("name", name),
    conditions: checkConditions(conditions),
    actions: checkActions(actions),
  };
  return changeRules(db, ownerId, async (tx) => {
    const scope = await readScope(tx, ownerId, put);
    const [former] = await selectRules(tx, "where owner_id = $1 and id = $2", [ownerId, id]);
    const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
    await checkScopeRestrictions(tx, { ownerId, restrictions }, scope);
    if (former) await checkChangeable(tx, { ownerId, restrictions }, former);
    const allowed = await checkForwarding(tx, { domains, ownerId, restrictions, former }, checked.actions);
    await write(tx, { id, ownerId, ...scope, ...checked, actions: allowed, expiresAt });
    await setPosition(tx, { ownerId, id, position, isNew: !former || !isSameScope(former, scope) }, scope);
    if (former && !isSameScope(former, scope)) await renumber(tx, ownerId, former);
    await checkRuleQuota(tx, ownerId);
    return { rule: await selectRule(tx, ownerId, id), isCreated: !former };
  });
}

/** Changes what is given and leaves the rest. @throws as putRule does */
export function updateRule({ db, domains }: RuleDependencies, change: Input<"updateRule">): Promise<Rule> {
  const { ownerId, id, apiKey } = change;
  const given: Partial<Content> = {
    ...(change.name === undefined ? {} : { name: checkName("name", change.name) }),
    ...(change.conditions ? { conditions: checkConditions(change.conditions) } : {}),
    ...(change.actions ? { actions: checkActions(change.actions) } : {}),
    ...(change.expiresAt === undefined ? {} : { expiresAt: change.expiresAt }),
  };
  return changeRules(
    db,
    ownerId,
    async (tx) => {
      const former = await selectRule(tx, ownerId, id);
      const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
      await checkChangeable(tx, { ownerId, restrictions }, former);
      const asked = { domains, ownerId, restrictions, former };
      const actions = given.actions && (await checkForwarding(tx, asked, given.actions));
      await write(tx, { ...former, ...given, ...(actions ? { actions } : {}) });
      await checkRuleQuota(tx, ownerId);
      return selectRule(tx, ownerId, id);
    },
    noSuchRule,
  );
}

/** @throws Refusal NotFound, ValidationFailed, Forbidden */
export function moveRule(db: Database, { ownerId, id, position, apiKey }: Input<"moveRule">): Promise<Rule> {
  if (position < 0) throw invalidField("position", "is less than 0.");
  return changeRules(
    db,
    ownerId,
    async (tx) => {
      const former = await selectRule(tx, ownerId, id);
      await checkChangeable(tx, { ownerId, restrictions: await KeyRestrictions.of(tx, ownerId, apiKey) }, former);
      await setPosition(tx, { ownerId, id, position, isNew: false }, former);
      return selectRule(tx, ownerId, id);
    },
    noSuchRule,
  );
}

/** @throws Refusal NotFound, Forbidden */
export async function removeRule(db: Database, { ownerId, id, apiKey }: Input<"removeRule">): Promise<void> {
  await changeRules(
    db,
    ownerId,
    async (tx) => {
      const former = await selectRule(tx, ownerId, id);
      await checkChangeable(tx, { ownerId, restrictions: await KeyRestrictions.of(tx, ownerId, apiKey) }, former);
      await tx.query("delete from rule where owner_id = $1 and id = $2", [ownerId, id]);
      await renumber(tx, ownerId, former);
    },
    noSuchRule,
  );
}

/**
 * Has every rule of an account forward to another address in place of one. In `changeRules`.
 * @returns whether one forwarded there
 * @throws Refusal Forbidden where one is outside a key's restrictions, ValidationFailed where the new ones have too many characters
 */
export async function replaceInRules(
  tx: Transaction,
  asked: RestrictedOwner,
  replaced: { old: EmailAddress; wanted: EmailAddress },
): Promise<boolean> {
  const forwarding = await selectRules(tx, "where owner_id = $1 and actions ? 'forwardTo'", [asked.ownerId]);
  const changed = forwarding.flatMap((rule) => {
    const forwardTo = withReplaced(rule.actions.forwardTo ?? [], replaced);
    return forwardTo ? [{ rule, actions: { ...rule.actions, forwardTo } }] : [];
  });
  for (const { rule, actions } of changed) {
    await checkChangeable(tx, asked, rule);
    checkForwardTo(asked.restrictions, { actions });
    await write(tx, { ...rule, actions });
  }
  if (changed.length > 0) await checkRuleQuota(tx, asked.ownerId);
  return changed.length > 0;
}

/** A rule that is there, in a key's restrictions. @throws Refusal Forbidden */
async function checkChangeable(tx: Transaction, asked: RestrictedOwner, former: Rule): Promise<void> {
  await checkScopeRestrictions(tx, asked, former);
  checkForwardTo(asked.restrictions, former);
}

function readId(given: string | undefined): string {
  if (given === undefined) return newId();
  // The id of nothing stands for whatever is no id.
  if (!isId(given) || given === NIL) throw invalidField("id", "is no UUID.");
  return given.toLowerCase();
}

function isSameScope(one: RuleScope, other: RuleScope): boolean {
  return one.bindingId === other.bindingId && one.domainId === other.domainId;
}

async function write(tx: Transaction, rule: Content & RuleScope & Pick<Rule, "id" | "ownerId">): Promise<void> {
  const { id, ownerId, bindingId, domainId, name, conditions, actions, expiresAt } = rule;
  await tx.query(
    `insert into rule (id, owner_id, binding_id, domain_id, name, conditions, actions, expires_at, position)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 0)
     on conflict (owner_id, id) do update set binding_id = excluded.binding_id, domain_id = excluded.domain_id, name = excluded.name,
            conditions = excluded.conditions, actions = excluded.actions, expires_at = excluded.expires_at, updated_at = now()
      where (rule.binding_id, rule.domain_id, rule.name, rule.conditions, rule.actions, rule.expires_at) is distinct from
            (excluded.binding_id, excluded.domain_id, excluded.name, excluded.conditions, excluded.actions, excluded.expires_at)`,
    [id, ownerId, bindingId, domainId, name, JSON.stringify(conditions), JSON.stringify(actions), expiresAt],
  );
}
