import type { Database } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { type EmailRow, emailColumns } from "./email-rows.ts";

interface PageOptions {
  ownerId: string;
  /** Absent: all. */
  first?: number | undefined;
  after?: string | undefined;
  search?: string | undefined;
  /** What came from outside alone, without what its owner wrote. */
  isReceivedOnly?: boolean;
}

export interface EmailPage {
  emails: EmailRow[];
  nextCursor: string | null;
}

/**
 * A page of the emails of each of these bindings, newest first, in one statement. The caller has checked access.
 * @throws Refusal ValidationFailed for a malformed cursor.
 */
export async function emailPages(
  db: Database,
  bindingIds: readonly string[],
  { ownerId, first, after, search, isReceivedOnly = false }: PageOptions,
): Promise<Map<string, EmailPage>> {
  if (after !== undefined && !isId(after)) throw invalidField("after", "is no cursor of this list.");
  const { rows } = await db.query<EmailRow>(
    `select found.* from unnest($1::uuid[]) as wanted (id) cross join lateral (
       select ${emailColumns} from content join email on email.id = content.email_id
        where content.binding_id = wanted.id and content.is_browsable and owner_id = $2
          and ($3::uuid is null or email_id < $3) and ${matches("$4")} and (not $6 or direction = 'FORWARD')
        order by email_id desc limit $5) as found`,
    [bindingIds, ownerId, after ?? null, searchText(search), first === undefined ? null : first + 1, isReceivedOnly],
    { name: "email_pages", unprepared: true },
  );
  const found = Map.groupBy(rows, (row) => row.bindingId);
  return new Map(bindingIds.map((id) => [id, pageOf(found.get(id) ?? [], first)]));
}

/** One row more than asked for means that there is a next page. */
function pageOf(rows: EmailRow[], first = rows.length): EmailPage {
  const emails = rows.slice(0, first);
  return { emails, nextCursor: rows.length > first ? (emails.at(-1)?.id ?? null) : null };
}

/** How many emails of each binding match in all. */
export async function emailCounts(
  db: Database,
  bindingIds: readonly string[],
  ownerId: string,
  search: string | undefined,
  isReceivedOnly = false,
): Promise<Map<string, number>> {
  const wanted = searchText(search);
  // All contents of a binding are its owner's, so the email table is joined for a search, or for what came from outside alone.
  const matching = `join email on email.id = email_id and owner_id = $2 and ${matches("$3")} and (not $4 or direction = 'FORWARD')`;
  const isPlain = wanted === null && !isReceivedOnly;
  const { rows } = await db.query<{ bindingId: string; count: number }>(
    `select content.binding_id, count(*) from content ${isPlain ? "" : matching}
      where content.binding_id = any ($1::uuid[]) and content.is_browsable group by content.binding_id`,
    isPlain ? [bindingIds] : [bindingIds, ownerId, wanted, isReceivedOnly],
    { name: isPlain ? "email_counts" : "email_counts_matching", unprepared: true },
  );
  return new Map(rows.map(({ bindingId, count }) => [bindingId, count]));
}

/** The search text as PostgreSQL takes it; null for none. */
function searchText(search: string | undefined): string | null {
  return search === undefined || search.trim() === "" ? null : search.toWellFormed().replaceAll("\0", "");
}

/** Sender or subject contains the text, case-insensitively. */
function matches(parameter: string): string {
  return `(${parameter}::text is null or strpos(lower(subject), lower(${parameter})) > 0 or strpos(lower(sender), lower(${parameter})) > 0)`;
}
