import type { Queryable } from "../../platform/db/types.ts";
import { unlockedRows } from "../../platform/jobs/unlocked-rows.ts";
import type { MadeContact } from "./insert-contacts.ts";

/** A message made them, and the owner has neither answered nor blocked them. */
const byMailAlone = "made_by = 'mail' and sent = 0 and blocked_at is null";
/** Of the room that there is, so much is free afterwards: not every message has to look for more. */
const freedShare = 0.05;
/** Removed at once at most: there are more only where the quota was lowered. */
const batchSize = 10_000;

/** Beyond the first $2 of the account $1. */
const surplus = `id <> all ($3::uuid[]) and id in (
  select id from (
    select id, row_number() over (order by place, last_seen_at desc, id desc) as place from (
      select id, last_seen_at,
             row_number() over (partition by binding_id order by received > 0 desc, last_seen_at desc, id desc) as place
        from contact where owner_id = $1 and ${byMailAlone}) as in_binding) as in_account
   where place > $2)`;

/**
 * Strangers can name as many addresses as they like. Where messages made more contacts of an account than `quota`, others than those made
 * just now are removed: each address of the account keeps as many as the others, first of those who wrote, and the last seen.
 * So the one that is flooded takes no room from others.
 */
export async function makeRoom(queryable: Queryable, made: readonly MadeContact[], quota: number): Promise<void> {
  if (made.length === 0) return;
  const { rows } = await queryable.query<{ ownerId: string }>(
    `select owner_id from unnest($1::uuid[]) as asked (owner_id)
      where (select count(*) from (select from contact where contact.owner_id = asked.owner_id and ${byMailAlone} limit $2) as counted) = $2`,
    [[...new Set(made.map(({ ownerId }) => ownerId))].sort(), quota + 1],
    { name: "contacts.over_quota" },
  );
  const kept = Math.floor(quota * (1 - freedShare));
  const madeIds = made.map(({ id }) => id);
  for (const { ownerId } of rows)
    await queryable.query(
      // Whom another transaction holds for now, such as one that counts mail, is left to the next message.
      `delete from contact where id = any (array(${unlockedRows({ columns: "id", table: "contact", where: surplus, orderBy: "id", limit: "$4" })}))`,
      [ownerId, kept, madeIds, batchSize],
      { name: "contacts.make_room" },
    );
}
