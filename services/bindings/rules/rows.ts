import type { z } from "zod";
import type { Queryable } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Rule as RuleSchema } from "./contract.ts";

export type Rule = z.output<typeof RuleSchema>;

/** What rules are for, one of the two or all mail of the account; within it they have an order. */
export type RuleScope = Pick<Rule, "bindingId" | "domainId">;

type RuleRow = Omit<Rule, "expiresAt" | "lastHitAt" | "createdAt" | "updatedAt"> & {
  expiresAt: Date | null;
  lastHitAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const columns = `id, owner_id, binding_id, domain_id, position, name, conditions, actions, expires_at, hits, last_hit_at, created_at, updated_at`;

/** Those of the account, of its domains and of its bindings, each in their order. */
export const inOrder = "order by binding_id nulls first, domain_id nulls first, position, id";

/** The rules of one scope: its columns as the second and third parameter, after the owner. */
export const ofScope = "owner_id = $1 and binding_id is not distinct from $2 and domain_id is not distinct from $3";

export function scopeParams(ownerId: string, { bindingId, domainId }: RuleScope) {
  return [ownerId, bindingId, domainId];
}

/** Rules as they are shown. `rest` is the statement from its `where` on. */
export async function selectRules(db: Queryable, rest: string, params: readonly unknown[]): Promise<Rule[]> {
  const { rows } = await db.query<RuleRow>(`select ${columns} from rule ${rest}`, params);
  return rows.map(({ expiresAt, lastHitAt, createdAt, updatedAt, ...row }) => ({
    ...row,
    expiresAt: expiresAt?.toISOString() ?? null,
    lastHitAt: lastHitAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

/** @throws Refusal NotFound, for somebody else's as well */
export async function selectRule(db: Queryable, ownerId: string, id: string): Promise<Rule> {
  const [rule] = isId(id) ? await selectRules(db, "where owner_id = $1 and id = $2", [ownerId, id]) : [];
  if (!rule) throw noSuchRule();
  return rule;
}

/** The same for somebody else's and for one that does not exist: attackers learn nothing. */
export function noSuchRule(): Refusal {
  return new Refusal("NotFound", { public: "There is no such rule." });
}
