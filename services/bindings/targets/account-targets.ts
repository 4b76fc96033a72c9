import type { z } from "zod";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { lockOwner } from "../owners/owners.ts";
import type { AccountTarget } from "./contract.ts";

type Target = z.output<typeof AccountTarget>;

/** The account's own address, and those that its bindings lead to, each once; none on a reserved internal domain. */
const inUse = `
  select distinct on (address_key) address, address_key, is_own, is_verified from (
    select own_address as address, own_address_key as address_key, true as is_own, own_address_verified_at is not null as is_verified
      from owner where id = $1 and own_address_key is not null
    union all
    select address, address_key, false, verified_at is not null from real_address where owner_id = $1 and not is_internal
  ) as known order by address_key, is_own desc, is_verified desc`;

/** An account's targets, its own address first. Each is given its id and number once, and keeps them. */
export async function listTargets(db: Database, ownerId: string): Promise<Target[]> {
  return db.tx(async (tx) => {
    await lockOwner(tx, ownerId);
    await tx.query(
      `insert into target (id, owner_id, address, address_key)
       select gen_random_uuid(), $1, address, address_key from (${inUse}) as in_use
        where not exists (select from target where owner_id = $1 and target.address_key = in_use.address_key)`,
      [ownerId],
    );
    const { rows } = await tx.query<Target>(
      `select target.id, number, in_use.address, is_verified, is_own,
              (select count(*) from real_address where owner_id = $1 and real_address.address_key = target.address_key) as bindings
         from target join (${inUse}) as in_use using (address_key) where owner_id = $1 order by is_own desc, number`,
      [ownerId],
    );
    return rows;
  });
}

/**
 * The addresses that targets stand for, by key, in the order given: each an id, or the address itself. What is neither stands for
 * nothing.
 */
export async function addressesOf(
  queryable: Queryable,
  ownerId: string,
  targetIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await queryable.query<{ id: string; address: string }>(
    `select id, address from target where owner_id = $1 and id = any ($2)`,
    [ownerId, targetIds.filter(isId)],
  );
  const byId = new Map(rows.map(({ id, address }) => [id, address]));
  const addresses = targetIds.map((id) => parseEmailAddress(byId.get(id.toLowerCase()) ?? id).emailAddress);
  return new Map(addresses.flatMap((each) => (each ? [[each.key, each.spelling] as const] : [])));
}

/** Their accounts are closed. */
export async function removeTargets(tx: Transaction, ownerIds: readonly string[]): Promise<void> {
  await tx.query("delete from target where owner_id = any ($1)", [ownerIds]);
}
