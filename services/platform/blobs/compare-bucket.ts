import type { Database } from "../db/types.ts";
import { firstIdAt, isId } from "../ids.ts";
import type { BucketObject, ListedBacking } from "./backing.ts";
import type { Found, PageRequest } from "./types.ts";

/** Rows that are looked at in one call. */
const rowsInPage = 1_000;

/**
 * Objects that no row knows, a page of the bucket at a time. A blob's row is committed before its object is written, and is deleted after it:
 * an object without a row belongs to nothing that comes in, and never will. What is no blob's is left alone.
 */
export async function findStrayObjects(
  db: Database,
  bucket: ListedBacking,
  { after, before }: PageRequest,
): Promise<Found<BucketObject>> {
  const { objects, next } = await bucket.list(after);
  const end = firstIdAt(before);
  const old = objects.filter(({ id, modifiedAt }) => isId(id) && id < end && modifiedAt < before);
  const { rows } = await db.query<{ id: string }>("select id from blob where id = any ($1::uuid[])", [
    old.map(({ id }) => id),
  ]);
  const known = new Set(rows.map(({ id }) => id));
  return { found: old.filter(({ id }) => !known.has(id)), next };
}

/** The ids of blobs that something needs and whose object is not in the bucket, a page of rows at a time, by age. */
export async function findLostBlobs(
  db: Database,
  bucket: ListedBacking,
  { after, before }: PageRequest,
): Promise<Found<string>> {
  const { rows } = await db.query<{ id: string }>(
    "select id from blob where is_in_bucket and unattached_since is null and id > $1 and id < $2 order by id limit $3",
    [after ?? firstIdAt(new Date(0)), firstIdAt(before), rowsInPage],
  );
  const last = rows.at(-1)?.id;
  if (last === undefined) return { found: [], next: null };
  const there = await idsUpTo(bucket, after, last);
  const missing = rows.map(({ id }) => id).filter((id) => !there.has(id));
  return { found: await stillNeeded(db, missing), next: rows.length < rowsInPage ? null : last };
}

/** Ids have the order of the objects' names, so that a part of the bucket is enough. */
async function idsUpTo(bucket: ListedBacking, after: string | null, last: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let from = after; ; ) {
    const { objects, next } = await bucket.list(from);
    for (const { id } of objects) ids.add(id);
    if (next === null || next >= last) return ids;
    from = next;
  }
}

/** What was removed since its row was read is not missed. */
async function stillNeeded(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<{ id: string }>(
    "select id from blob where id = any ($1::uuid[]) and unattached_since is null order by id",
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Pages of two lists in the order of ids: as far as both reach. */
export function merged(one: Found<string>, other: Found<string> = { found: [], next: null }): Found<string> {
  const ends = [one.next, other.next].filter((next) => next !== null).sort();
  const next = ends[0] ?? null;
  const found = [...one.found, ...other.found].filter((id) => next === null || id <= next).sort();
  return { found, next };
}
