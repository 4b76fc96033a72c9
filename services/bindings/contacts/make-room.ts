import type { Queryable } from "../../platform/db/types.ts";
import { dayMs } from "../../platform/durations.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { unlockedRows } from "../../platform/jobs/unlocked-rows.ts";
import type { MadeContact } from "./insert-contacts.ts";

/** A message made them, and the owner has neither answered, named nor blocked them. */
const byMailAlone = "made_by = 'mail' and sent = 0 and blocked_at is null and not kept_by_owner";
/** Of the room that there is, so much is free afterwards: not every message has to look for more. */
const freedShare = 0.05;
/** Removed at once at most: there are more only where the quota was lowered. */
const batchSize = 10_000;
/** So long a message may be on its way that is to name the reverse address of its author. */
const inUseMs = 10_000;

/** By what domain an author is a stranger among others: nearly the registered one, and as many as they like below it are one. */
const organisation = "substring(address_key from '[^.@]+\\.[^.@]+$')";
/** Made by mail of an account, and no author of what is being forwarded. */
const removable = (account: string, inUseSince: string) =>
  `owner_id = ${account} and ${byMailAlone} and not (invites_replies and id >= ${inUseSince})`;

/**
 * What a contact of an address is worth, the least first removed: 0 wrote more than once, and not today alone; 1 wrote; 2 wrote, and is
 * among more than $6 that are new since $5, which a flood makes; 3 was only named.
 */
const ranked = `select *, case when received = 0 then 3
                               when not is_new then case when received > 1 then 0 else 1 end
                               when place_of_new <= $6 then 1 else 2 end as worth
  from (select *, row_number() over (partition by binding_id, is_new, received > 0 order by place_in_organisation, id) as place_of_new
          from (select id, binding_id, received, last_seen_at, id >= $5 as is_new,
                       row_number() over (partition by binding_id, id >= $5, received > 0, ${organisation} order by id) as place_in_organisation
                  from contact where ${removable("$1", "$7")}) as in_organisation) as in_day`;

/** Beyond the first $2 of the account $1. */
const surplus = `id <> all ($3::uuid[]) and id in (
  select id from (
    select id, row_number() over (order by place, last_seen_at desc, id desc) as place from (
      select id, last_seen_at, row_number() over (
               partition by binding_id order by worth, case when worth = 2 then place_in_organisation end, last_seen_at desc, id desc) as place
        from (${ranked}) as ranked) as in_binding) as in_account
   where place > $2)`;

/**
 * Strangers can name as many addresses as they like. Where messages made more contacts of an account than `quota`, others than those made
 * just now are removed: each address of the account keeps as many as the others, first of those who wrote, and the last seen.
 * So the one that is flooded takes no room from others, and of its own contacts those of the flood go first.
 */
export async function makeRoom(queryable: Queryable, made: readonly MadeContact[], quota: number): Promise<void> {
  if (made.length === 0) return;
  const now = Date.now();
  const [newSince, inUseSince] = [firstIdAt(new Date(now - dayMs)), firstIdAt(new Date(now - inUseMs))];
  const { rows } = await queryable.query<{ ownerId: string }>(
    `select owner_id from unnest($1::uuid[]) as asked (owner_id)
      where (select count(*) from (select from contact where ${removable("asked.owner_id", "$3")} limit $2) as counted) = $2`,
    [[...new Set(made.map(({ ownerId }) => ownerId))].sort(), quota + 1, inUseSince],
    { name: "contacts.over_quota" },
  );
  const kept = Math.floor(quota * (1 - freedShare));
  const madeIds = made.map(({ id }) => id);
  for (const { ownerId } of rows)
    await queryable.query(
      // Whom another transaction holds for now, such as one that counts mail, is left to the next message.
      `delete from contact where id = any (array(${unlockedRows({ columns: "id", table: "contact", where: surplus, orderBy: "id", limit: "$4" })}))`,
      [ownerId, kept, madeIds, batchSize, newSince, quota - kept, inUseSince],
      { name: "contacts.make_room" },
    );
}
