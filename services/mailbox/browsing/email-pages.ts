import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { type EnvelopeRow, envelopeColumns } from "./email-rows.ts";

export interface PageOptions {
  ownerId: string;
  /** Absent: all. */
  first?: number | undefined;
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
    [bindingIds, ownerId, after ?? null, searched(search), first === undefined ? null : first + 1],
    { name: "email_pages", isPlannedAnew: true },
  );
  const found = Map.groupBy(rows, (row) => row.bindingId);
  return new Map(bindingIds.map((id) => [id, pageOf(found.get(id) ?? [], first)]));
}

/** One more than asked for tells whether there is a next page. */
function pageOf(rows: EnvelopeRow[], first = rows.length): EmailPage {
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
  const wanted = searched(search);
  // All that is kept of a binding is its owner's: emails have to be read for what is looked for alone.
  const matching = `join email on email.id = email_id and owner_id = $2 and ${matches("$3")}`;
  const { rows } = await db.query<{ bindingId: string; count: number }>(
    `select content.binding_id as "bindingId", count(*) from content ${wanted === null ? "" : matching}
      where content.binding_id = any ($1::uuid[]) and content.is_browsable group by content.binding_id`,
    wanted === null ? [bindingIds] : [bindingIds, ownerId, wanted],
    { name: wanted === null ? "email_counts" : "email_counts_matching", isPlannedAnew: true },
  );
  return new Map(rows.map(({ bindingId, count }) => [bindingId, count]));
}

/** What is looked for as PostgreSQL takes it; null: nothing in particular. */
function searched(search: string | undefined): string | null {
  return search === undefined || search.trim() === "" ? null : search.toWellFormed().replaceAll("\0", "");
}

/** Sender or subject holds the text, without regard to case. */
function matches(parameter: string): string {
  return `(${parameter}::text is null or strpos(lower(subject), lower(${parameter})) > 0 or strpos(lower(sender), lower(${parameter})) > 0)`;
}
