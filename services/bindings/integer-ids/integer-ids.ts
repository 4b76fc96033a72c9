import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { noSuchBinding } from "../proxy-bindings/rows.ts";

/** The number of each binding of an account, by its id: given once, and kept. */
export async function bindingIntegerIds(db: Database, ownerId: string): Promise<{ id: string; number: number }[]> {
  // A binding that is removed meanwhile takes its number with it.
  await db.query(
    `insert into binding_number (binding_id)
     select id from binding where owner_id = $1 and not exists (select from binding_number where binding_id = id) order by id for share
     on conflict do nothing`,
    [ownerId],
  );
  const { rows } = await db.query<{ id: string; number: number }>(
    `select id, number from binding join binding_number on binding_id = id where owner_id = $1`,
    [ownerId],
  );
  return rows;
}

/** @throws Refusal NotFound, for somebody else's as well */
export async function bindingOfIntegerId(db: Database, ownerId: string, number: number): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `select id from binding join binding_number on binding_id = id where owner_id = $1 and number = $2`,
    [ownerId, number],
  );
  if (!rows[0]) throw noSuchBinding();
  return rows[0].id;
}

/** The number of each of those contacts of an account that exist, by its id: given once, and kept. */
export async function contactIntegerIds(
  db: Database,
  ownerId: string,
  ids: readonly string[],
): Promise<{ id: string; number: number }[]> {
  const known = ids.filter(isId);
  await db.query(
    `insert into contact_number (contact_id)
     select id from contact where owner_id = $1 and id = any ($2)
        and not exists (select from contact_number where contact_id = id) order by id for key share
     on conflict do nothing`,
    [ownerId, known],
  );
  const { rows } = await db.query<{ id: string; number: number }>(
    `select id, number from contact join contact_number on contact_id = id where owner_id = $1 and id = any ($2)`,
    [ownerId, known],
  );
  return rows;
}

/** @throws Refusal NotFound, for somebody else's as well */
export async function contactOfIntegerId(db: Database, ownerId: string, number: number) {
  const { rows } = await db.query<{ id: string; isBlocked: boolean }>(
    `select id, blocked_at is not null as is_blocked from contact join contact_number on contact_id = id where owner_id = $1 and number = $2`,
    [ownerId, number],
  );
  if (!rows[0]) throw new Refusal("NotFound", { public: "There is no such contact." });
  return rows[0];
}
