import type { z } from "zod";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { KeyRestrictions } from "../key-restrictions/contract.ts";
import type { CheckedEntry } from "./check-entries.ts";
import type { ImportRow as ImportRowSchema, Import as ImportSchema } from "./contract.ts";
import { type Entry, oldValue } from "./entries.ts";

export type Import = z.output<typeof ImportSchema>;
export type ImportRow = z.output<typeof ImportRowSchema>;
/** What an API key holds an import to. */
export type ApiKey = z.output<typeof KeyRestrictions>;

/** An entry to be made. */
export interface WaitingEntry {
  readonly importId: string;
  readonly position: number;
  readonly entry: Entry;
}

type ImportColumns = Omit<Import, "createdAt" | "finishedAt"> & { createdAt: Date; finishedAt: Date | null };

const columns = "id, source, state, coalesce(fault, '') as fault, created_at, finished_at, total, done";

const newEntries = recordSet({
  position: "integer",
  entry: "jsonb",
  verdict: "text",
  detail: "text",
  addressKey: "text",
});

/** An account's imports, newest first; `id` for one of them. */
export async function selectImports(db: Queryable, ownerId: string, id: string | null = null): Promise<Import[]> {
  const { rows } = await db.query<ImportColumns>(
    `select ${columns} from import where owner_id = $1 and ($2::uuid is null or id = $2) order by created_at desc, id desc`,
    [ownerId, id],
  );
  return rows.map(({ createdAt, finishedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }));
}

/** @throws Refusal NotFound, for somebody else's as well */
export async function selectImport(db: Queryable, ownerId: string, id: string): Promise<Import> {
  const [found] = isId(id) ? await selectImports(db, ownerId, id) : [];
  if (!found) throw noSuchImport();
  return found;
}

/** A page of the rows of an import, in their order. */
export async function selectRows(
  db: Queryable,
  importId: string,
  { first, after = -1 }: { first: number; after?: number | undefined },
): Promise<ImportRow[]> {
  const { rows } = await db.query<Omit<ImportRow, "kind" | "old" | "new"> & { entry: Entry; newValue: string | null }>(
    `select position, entry, new_value, verdict, state, detail from import_entry
      where import_id = $1 and position > $2 order by position limit $3`,
    [importId, after, first],
  );
  return rows.map(({ entry, newValue, ...row }) => ({ ...row, kind: entry.kind, old: oldValue(entry), new: newValue }));
}

/** @param from the position of the first */
export async function insertImportEntries(
  db: Queryable,
  importId: string,
  entries: readonly CheckedEntry[],
  from: number,
): Promise<void> {
  await db.query(
    `with inserted as (
       insert into import_entry (import_id, position, entry, verdict, detail, address_key)
       select $1, position, entry, verdict, detail, address_key from ${newEntries.from("given", 3)})
     update import set total = $2 where id = $1`,
    [
      importId,
      from + entries.length,
      ...newEntries.params(entries.map((each, at) => ({ ...each, position: from + at }))),
    ],
  );
}

/** How an entry ended. */
export interface Ending {
  readonly state: "done" | "left" | "refused";
  readonly newValue?: string | null;
  readonly detail?: string;
  readonly bindingId?: string | null;
}

/** Another worker has ended it, or its import was removed: what was made again is to be rolled back. */
export class EntryEnded extends Error {}

/** Goes into the transaction that makes it. @throws EntryEnded */
export async function endEntry(
  db: Queryable,
  { importId, position }: WaitingEntry,
  { state, newValue = null, detail = "", bindingId = null }: Ending,
): Promise<void> {
  const { rowCount } = await db.query(
    // The import's row first, as its removal locks them.
    `with job as materialized (select id from import where id = $1 for no key update),
          ended as (
            update import_entry set state = $3, new_value = $4, detail = $5, binding_id = $6 from job
             where import_id = job.id and position = $2 and import_entry.state = 'waiting' returning import_id)
     update import set done = done + 1 from ended where import.id = ended.import_id`,
    [importId, position, state, newValue, detail, bindingId],
  );
  if (rowCount === 0) throw new EntryEnded();
}

export function noSuchImport(): Refusal {
  return new Refusal("NotFound", { public: "There is no such import." });
}
