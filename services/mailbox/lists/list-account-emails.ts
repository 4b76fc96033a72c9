import type { Database } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { firstIdAt, isId } from "../../platform/ids.ts";
import { listedColumns } from "../browsing/email-rows.ts";
import type { ReceivedEmailRow } from "../browsing/owned-emails.ts";
import type { FailureReason } from "../emails/failure-reasons.ts";
import { searchQuery } from "./search-words.ts";

/** How far a target of an email is that is not delivered. */
export type Undelivered = "FAILED" | "RETRYING" | "HELD";

export interface ListQuery {
  readonly ownerId: string;
  readonly first: number;
  readonly after?: string | undefined;
  readonly search?: string | undefined;
  readonly bindingId?: string | undefined;
  readonly isUnread?: boolean | undefined;
  readonly isKept?: boolean | undefined;
  /** With a target that is one of these. */
  readonly undelivered?: readonly Undelivered[] | undefined;
  /** With a target that failed or is tried again for one of these. */
  readonly failureReasons?: readonly FailureReason[] | undefined;
  /** Received at this time or later. */
  readonly since?: Date | undefined;
}

interface EmailList {
  readonly emails: ReceivedEmailRow[];
  readonly nextCursor: string | null;
}

const conditions: Readonly<Record<Undelivered, string>> = {
  FAILED: "failed_count > 0",
  RETRYING: "retrying_count > 0",
  HELD: "held_count > 0",
};
const reasonConditions: Readonly<Record<FailureReason, string>> = {
  recipient: "'recipient' = any (failure_reasons)",
  mailbox: "'mailbox' = any (failure_reasons)",
  sender: "'sender' = any (failure_reasons)",
  content: "'content' = any (failure_reasons)",
  server: "'server' = any (failure_reasons)",
  webhook: "'webhook' = any (failure_reasons)",
  // Of what failed before reasons were kept nothing is known.
  other: "'other' = any (failure_reasons) or failure_reasons = '{}' and failed_count + retrying_count > 0",
};
/** As the index of undelivered mail has it. */
const anyUndelivered = "(failed_count > 0 or retrying_count > 0 or held_count > 0)";

const nothing: EmailList = { emails: [], nextCursor: null };

/** An account's mail over all its bindings, newest first. @throws Refusal ValidationFailed for a malformed cursor. */
export async function listAccountEmails(db: Database, question: ListQuery): Promise<EmailList> {
  const { after, bindingId, first, search } = question;
  if (after !== undefined && !isId(after)) throw invalidField("after", "is no cursor of this list.");
  if (bindingId !== undefined && !isId(bindingId)) return nothing;
  const ids =
    search === undefined || search.trim() === ""
      ? await newestIds(db, question, after)
      : await matchingIds(db, question, search);
  const shown = ids.slice(0, first);
  return {
    emails: await rowsOf(db, question.ownerId, shown),
    nextCursor: ids.length > first ? (shown.at(-1) ?? null) : null,
  };
}

/** $1 owner, $2 after, $3 limit, $4 binding, $5 the least id. Of one binding the walk is over the binding's mail alone. */
function newestStatement(question: ListQuery): string {
  const ofBinding = "email.owner_id = $1 and email.binding_id = $4 and ($2::uuid is null or email.id < $2)";
  const ofOwner = "entry.owner_id = $1 and $4::uuid is null and ($2::uuid is null or entry.email_id < $2)";
  const from =
    question.bindingId === undefined
      ? `mail_entry as entry where ${ofOwner}`
      : `email join mail_entry as entry on entry.owner_id = email.owner_id and entry.email_id = email.id where ${ofBinding}`;
  const least = question.since === undefined ? "$5::uuid is null" : "entry.email_id >= $5";
  const order = question.bindingId === undefined ? "entry.email_id" : "email.id";
  return `select entry.email_id from ${from} and ${least}${filtersOf(question)} order by ${order} desc limit $3`;
}

/** Constant texts, so that PostgreSQL sees that its partial indexes fit. */
function filtersOf({ isUnread, isKept, undelivered = [], failureReasons: asked = [] }: ListQuery): string {
  const filters = [
    ...(isUnread === undefined ? [] : [isUnread ? "is_unread" : "not is_unread"]),
    ...(isKept === undefined ? [] : [isKept ? "is_kept" : "not is_kept"]),
    ...(undelivered.length === 0
      ? []
      : [anyUndelivered, `(${[...new Set(undelivered)].map((each) => conditions[each]).join(" or ")})`]),
    ...(asked.length === 0
      ? []
      : [anyUndelivered, `(${[...new Set(asked)].map((each) => reasonConditions[each]).join(" or ")})`]),
  ];
  return filters.map((filter) => ` and ${filter}`).join("");
}

/** Ids are in order of time. */
function leastIdOf({ since }: ListQuery): string | null {
  return since === undefined ? null : firstIdAt(since);
}

async function newestIds(db: Database, question: ListQuery, after: string | undefined): Promise<string[]> {
  const { ownerId, first, bindingId } = question;
  const { rows } = await db.query<{ emailId: string }>(
    newestStatement(question),
    [ownerId, after ?? null, first + 1, bindingId ?? null, leastIdOf(question)],
    { name: "mail_list", unprepared: true },
  );
  return rows.map(({ emailId }) => emailId);
}

/** So many of the newest are looked through, before the index of words is asked. */
const recentCount = 1_000;

/**
 * A word that many emails have is found among the newest, without a look at all the others; what few of the newest have, few have in all,
 * and the index of words finds them. A search that only excludes ends with the newest.
 */
async function matchingIds(db: Database, question: ListQuery, search: string): Promise<string[]> {
  const { ownerId, first, after } = question;
  const asked = await searchQuery(db, ownerId, search);
  if (asked === undefined) return [];
  const { query, isIndexed } = asked;
  const kept = { ...question, isKept: true };
  const recent = await newestIds(db, { ...kept, first: recentCount }, after);
  const { rows } = await db.query<{ emailId: string }>(
    `select email_id from mail_search where email_id = any ($1::uuid[]) and owner_id = $2 and words @@ $3::tsquery
      order by email_id desc limit $4`,
    [recent, ownerId, query, first + 1],
    { name: "mail_search_recent", unprepared: true },
  );
  const ids = rows.map(({ emailId }) => emailId);
  if (recent.length <= recentCount || ids.length > first || !isIndexed) return ids;
  return [...ids, ...(await earlierIds(db, kept, query, recent.at(-1), first + 1 - ids.length))];
}

/** Materialized, so that the index of words is what is read: how many of an account's emails have a word is nothing that PostgreSQL knows. */
async function earlierIds(
  db: Database,
  question: ListQuery,
  query: string,
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ emailId: string }>(
    `with found as materialized (
       select email_id from mail_search where words @@ $2::tsquery and owner_id = $1)
     select entry.email_id from found join mail_entry as entry on entry.owner_id = $1 and entry.email_id = found.email_id
      where entry.email_id < $3 and ($4::uuid is null or entry.binding_id = $4)
        and ($6::uuid is null or entry.email_id >= $6)${filtersOf(question)}
      order by entry.email_id desc limit $5`,
    [question.ownerId, query, before, question.bindingId ?? null, limit, leastIdOf(question)],
    { name: "mail_search_words", unprepared: true },
  );
  return rows.map(({ emailId }) => emailId);
}

async function rowsOf(db: Database, ownerId: string, ids: readonly string[]): Promise<ReceivedEmailRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ReceivedEmailRow>(
    `select ${listedColumns}
       from email join mail_entry on mail_entry.owner_id = email.owner_id and mail_entry.email_id = email.id
       left join content on content.email_id = email.id and content.is_browsable
      where email.id = any ($1::uuid[]) and email.owner_id = $2 and removed_at is null order by email.id desc`,
    [ids, ownerId],
    { name: "mail_list_rows", unprepared: true },
  );
  return rows;
}
