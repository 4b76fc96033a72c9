import type { Database } from "../platform/db/types.ts";
import { Refusal } from "../platform/errors.ts";
import { isId } from "../platform/ids.ts";
import { type EnvelopeRow, envelopeColumns, matches, searched } from "./browsing.ts";

export interface PageOptions {
  ownerId: string;
  first: number;
  after?: string | undefined;
  search?: string | undefined;
}

export interface EmailPage {
  emails: EnvelopeRow[];
  nextCursor: string | null;
}

/**
 * A page of the emails of each of these bindings, newest first, in one statement. Whether they may be browsed, the caller has
 * made sure of. @throws Refusal ValidationFailed for a cursor that is none.
 */
export async function emailPages(
  db: Database,
  bindingIds: readonly string[],
  { ownerId, first, after, search }: PageOptions,
): Promise<Map<string, EmailPage>> {
  if (after !== undefined && !isId(after))
    throw new Refusal("ValidationFailed", { public: "after: is no cursor of this list." });
  const { rows } = await db.query<EnvelopeRow>(
    `select found.* from unnest($1::uuid[]) as wanted (id) cross join lateral (
       select ${envelopeColumns} from content join email on email.id = content.email_id
        where content.binding_id = wanted.id and content.is_browsable and owner_id = $2
          and ($3::uuid is null or email_id < $3) and ${matches("$4")}
        order by email_id desc limit $5) as found`,
    [bindingIds, ownerId, after ?? null, searched(search), first + 1],
    { name: "email_pages" },
  );
  const found = Map.groupBy(rows, (row) => row.bindingId);
  return new Map(bindingIds.map((id) => [id, pageOf(found.get(id) ?? [], first)]));
}

/** One more than asked for tells whether there is a next page. */
function pageOf(rows: EnvelopeRow[], first: number): EmailPage {
  const emails = rows.slice(0, first);
  return { emails, nextCursor: rows.length > first ? (emails.at(-1)?.id ?? null) : null };
}

/** How many emails of each binding match in all. */
export async function emailCounts(
  db: Database,
  bindingIds: readonly string[],
  ownerId: string,
  search: string | undefined,
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ bindingId: string; count: number }>(
    `select content.binding_id as "bindingId", count(*) from content join email on email.id = email_id
      where content.binding_id = any ($1::uuid[]) and content.is_browsable and owner_id = $2 and ${matches("$3")}
      group by content.binding_id`,
    [bindingIds, ownerId, searched(search)],
    { name: "email_counts" },
  );
  return new Map(rows.map(({ bindingId, count }) => [bindingId, count]));
}
