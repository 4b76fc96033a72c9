import { NIL } from "uuid";
import { firstIdAt } from "../../platform/ids.ts";
import { unlockedRows } from "../../platform/jobs/unlocked-rows.ts";
import type { Question } from "./take-email.ts";

/** So many emails are looked through for an author or a subject: the newest of a binding, or of a tag. Exported for tests. */
export const maxSearchedEmails = 5_000;

/** An email's id is made as it is accepted, by another clock than that of `since`. */
const clockDifferenceMs = 3_600_000;

/** What a stored email has to be; the author is the envelope's sender or whom From names. */
const matches = `content.binding_id = $1 and is_browsable and content.email_id >= $7
  and exists (select from email where email.id = content.email_id and owner_id = $2 and removed_at is null
    and ($3::text is null or lower(recipient) = lower($3)) and ($6::timestamptz is null or received_at >= $6)
    and ($4::text is null or strpos(lower(sender), lower($4)) > 0 or exists (
      select from json_array_elements(headers) as field where lower(field ->> 0) = 'from' and strpos(lower(field ->> 1), lower($4)) > 0)))
  and ($5::text is null or strpos(lower(subject), lower($5)) > 0)`;

const untaken = "taken_at is null";
/** With a time, what came since is shown again. */
const shownAgain = "(taken_at is null or $6::timestamptz is not null)";

/** Never by "after the last id": an id is made before parsing ends, so one that is stored later may have a lower one. */
export function takeStatement(question: Question): string {
  const oldest = unlockedRows({
    columns: "email_id",
    table: "content",
    where: `${matches} and ${untaken} and ${boundOf(question, untaken)}`,
    orderBy: "email_id",
    limit: 1,
  });
  return `with oldest as materialized (${oldest})
    update content set taken_at = now() from oldest where content.email_id = oldest.email_id returning content.email_id`;
}

export function peekStatement(question: Question): string {
  return `select email_id from content where ${matches} and ${shownAgain} and ${boundOf(question, shownAgain)} order by email_id limit 1`;
}

export function parametersOf({ bindingId, ownerId, recipient, from, subject, since, fromId }: Question): unknown[] {
  const sinceId = since === undefined ? NIL : firstIdAt(new Date(Math.max(0, Date.parse(since) - clockDifferenceMs)));
  const lowestId = fromId !== undefined && fromId > sinceId ? fromId : sinceId;
  return [bindingId, ownerId, ...[recipient, from, subject, since].map((each) => each ?? null), lowestId];
}

/** Which emails of the binding are looked at: those to a tag by their index, and where something is searched for a bounded number. */
function boundOf({ recipient, from, subject }: Question, which: string): string {
  if (recipient?.includes("+"))
    return `content.email_id = any (array(select email_id from tagged_email
      where binding_id = $1 and recipient = lower($3) and email_id >= $7 order by email_id desc limit ${maxSearchedEmails}))`;
  if ((recipient ?? from ?? subject) === undefined) return "true";
  return `content.email_id >= (select email_id from (select email_id from content
      where binding_id = $1 and is_browsable and ${which} and email_id >= $7 order by email_id desc limit ${maxSearchedEmails}) as newest order by email_id limit 1)`;
}
