import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { unlockedRows } from "../../platform/jobs/unlocked-rows.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

const intervalMs = 2_000;
const batchSize = 500;

/** Between the texts that are searched; a search for it takes no index. */
export const textEnd = "\u0001";

const notes = recordSet({ ownerId: "uuid", bindingId: "uuid" });

const theTurn = unlockedRows({ columns: "counted_to, is_counted", table: "search_work", where: "true", limit: 1 });

const indexing = `
  insert into binding_search (owner_id, binding_id, searched)
  select owner_id, id, lower(concat_ws('${textEnd}', proxy_address, description,
           (select string_agg(address, '${textEnd}') from real_address where binding_id = binding.id),
           (select array_to_string(sites, '${textEnd}') from used_on where binding_id = binding.id)))
    from binding where id = any ($1::uuid[]) order by owner_id, id
  on conflict (owner_id, binding_id) do update set searched = excluded.searched`;

/**
 * Counts the bindings that were there before they were counted, and makes and keeps the index that searches of large accounts take: in
 * one process at a time, a batch each. @returns whether there may be more
 * Exported for tests.
 */
export function indexSome(db: Database): Promise<boolean> {
  return db.tx(
    async (tx) => {
      const turn = (await tx.query<{ countedTo: string; isCounted: boolean }>(theTurn)).rows[0];
      if (!turn) return false;
      if (!turn.isCounted) return countFrom(tx, turn.countedTo);
      return (await followChanges(tx)) || (await indexOwner(tx));
    },
    { attempts: 3, name: "bindings.index" },
  );
}

export function searchIndexTask(db: Database, logger: Logger): PollingTask {
  return new PollingTask({ name: "binding-search", intervalMs, logger, run: () => indexSome(db) });
}

async function countFrom(tx: Transaction, countedTo: string): Promise<boolean> {
  const { rows } = await tx.query<{ id: string }>("select id from owner where id > $1 order by id limit $2", [
    countedTo,
    batchSize,
  ]);
  await tx.query(
    `insert into binding_count (owner_id, total, automatic, is_noted)
     select owner_id, count(*), count(*) filter (where is_automatic), count(*) >= 5000 from binding
      where owner_id = any ($1::uuid[]) and not exists (select from binding_count where binding_count.owner_id = binding.owner_id)
      group by owner_id order by owner_id
     on conflict do nothing`,
    [rows.map(({ id }) => id)],
  );
  await tx.query("update search_work set counted_to = coalesce($1, counted_to), is_counted = $2", [
    rows.at(-1)?.id ?? null,
    rows.length < batchSize,
  ]);
  return true;
}

/** Statement by statement: what is indexed has to be seen after the notes of it. */
async function followChanges(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.query<{ ownerId: string; bindingId: string }>(
    `delete from search_change where number in (select number from search_change order by number limit ${batchSize})
     returning owner_id, binding_id`,
    [],
    { name: "bindings.changes" },
  );
  if (rows.length === 0) return false;
  // What the index has not come to yet it reads when it does.
  const { rows: indexed } = await tx.query<{ id: string }>(
    `select distinct binding_id as id from ${notes.from("noted")} join search_owner using (owner_id)
      where is_indexed or binding_id <= indexed_to`,
    notes.params(rows),
    { name: "bindings.noted_again" },
  );
  const ids = indexed.map(({ id }) => id);
  await tx.query(indexing, [ids]);
  await tx.query(
    `delete from binding_search where (owner_id, binding_id) in (select owner_id, binding_id from ${notes.from("noted")})
        and not exists (select from binding where id = binding_id)`,
    notes.params(rows),
  );
  return true;
}

/** A batch of an account whose index is not finished. */
async function indexOwner(tx: Transaction): Promise<boolean> {
  // Of a former transaction, so that this one's number is beyond those of all that did not note their changes.
  await tx.query("update search_owner set fence = pg_current_xact_id() where fence is null", [], {
    name: "bindings.fence",
  });
  const noted = await tx.query(
    `insert into search_owner (owner_id) select owner_id from binding_count
      where is_noted and not exists (select from search_owner where search_owner.owner_id = binding_count.owner_id)
     on conflict do nothing`,
    [],
    { name: "bindings.noted" },
  );
  if (noted.rowCount > 0) return true;
  const { rows } = await tx.query<{ ownerId: string; indexedTo: string }>(
    `select owner_id, indexed_to from search_owner
      where not is_indexed and fence < pg_snapshot_xmin(pg_current_snapshot()) order by owner_id limit 1`,
    [],
    { name: "bindings.unindexed" },
  );
  const owner = rows[0];
  if (!owner) return false;
  const { rows: next } = await tx.query<{ id: string }>(
    "select id from binding where owner_id = $1 and id > $2 order by id limit $3",
    [owner.ownerId, owner.indexedTo, batchSize],
  );
  await tx.query(indexing, [next.map(({ id }) => id)]);
  await tx.query("update search_owner set indexed_to = coalesce($2, indexed_to), is_indexed = $3 where owner_id = $1", [
    owner.ownerId,
    next.at(-1)?.id ?? null,
    next.length < batchSize,
  ]);
  return true;
}
