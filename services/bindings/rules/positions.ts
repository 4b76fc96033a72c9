import type { Database, Transaction } from "../../platform/db/types.ts";
import type { Refusal } from "../../platform/errors.ts";
import { lockOwner } from "../owners/owners.ts";
import { ofScope, type RuleScope, scopeParams } from "./rows.ts";

interface NewPosition {
  readonly ownerId: string;
  readonly id: string;
  /** Absent: a new one goes last, one that was there stays. */
  readonly position: number | undefined;
  readonly isNew: boolean;
}

/**
 * Changes rules of an account, whose row is locked first, and its rules then in the order in which hits are counted: neither waits for the
 * other while it keeps the other waiting.
 * @throws Refusal NotFound, or what `missing` makes, for an account that is closed or not known here yet
 */
export function changeRules<T>(
  db: Database,
  ownerId: string,
  change: (tx: Transaction) => Promise<T>,
  missing?: () => Refusal,
): Promise<T> {
  return db.tx(async (tx) => {
    await lockOwner(tx, ownerId, missing);
    await tx.query("select from rule where owner_id = $1 order by id for no key update", [ownerId]);
    return change(tx);
  });
}

/** Gives a rule its place among those with the same scope. The owner is locked. */
export async function setPosition(
  tx: Transaction,
  { ownerId, id, position, isNew }: NewPosition,
  scope: RuleScope,
): Promise<void> {
  const ids = await idsOf(tx, ownerId, scope);
  const others = ids.filter((each) => each !== id);
  const at = position ?? (isNew ? others.length : ids.indexOf(id));
  others.splice(at, 0, id);
  await number(tx, ownerId, others);
}

/** Closes the gaps between the rules of a scope. The owner is locked. */
export async function renumber(tx: Transaction, ownerId: string, scope: RuleScope): Promise<void> {
  await number(tx, ownerId, await idsOf(tx, ownerId, scope));
}

async function idsOf(tx: Transaction, ownerId: string, scope: RuleScope): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from rule where ${ofScope} order by position, id`,
    scopeParams(ownerId, scope),
  );
  return rows.map(({ id }) => id);
}

async function number(tx: Transaction, ownerId: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update rule set position = wanted.place - 1 from unnest($2::uuid[]) with ordinality as wanted (id, place)
      where owner_id = $1 and rule.id = wanted.id and position <> wanted.place - 1`,
    [ownerId, ids],
  );
}
