import type { z } from "zod";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import { unlockedRows } from "../../platform/jobs/unlocked-rows.ts";
import type { mailboxContract } from "../contract.ts";

type Question = z.output<(typeof mailboxContract)["procedures"]["takeEmail"]["input"]>;

/** What a stored email has to be; the author is the envelope's sender or whom From names. */
const matches = `content.binding_id = $1 and is_browsable
  and exists (select from email where email.id = content.email_id and owner_id = $2 and removed_at is null
    and ($3::text is null or lower(recipient) = lower($3)) and ($6::timestamptz is null or received_at >= $6)
    and ($4::text is null or strpos(lower(sender), lower($4)) > 0 or exists (
      select from json_array_elements(headers) as field where lower(field ->> 0) = 'from' and strpos(lower(field ->> 1), lower($4)) > 0)))
  and ($5::text is null or strpos(lower(subject), lower($5)) > 0)`;

const untaken = unlockedRows({
  columns: "email_id",
  table: "content",
  where: `${matches} and taken_at is null`,
  orderBy: "email_id",
  limit: 1,
});

/** Never by "after the last id": an id is made before parsing ends, so one that is stored later may have a lower one. */
const take = `with oldest as materialized (${untaken})
  update content set taken_at = now() from oldest where content.email_id = oldest.email_id returning content.email_id`;

const peek = `select email_id from content where ${matches} and (taken_at is null or $6::timestamptz is not null) order by email_id limit 1`;

/**
 * The oldest stored email that matches and that nobody has taken; undefined where there is none yet. With `take` it is nobody
 * else's from then on, and the same waiter gets the same one.
 */
export async function takeEmail(db: Database, question: Question): Promise<string | undefined> {
  if (!question.take) return firstOf(db, peek, question);
  const { waiter, ownerId } = question;
  if (waiter === undefined) return firstOf(db, take, question);
  return db.tx(async (tx) => {
    const former = await formerOf(tx, waiter, ownerId);
    if (former !== undefined) return former;
    const emailId = await firstOf(tx, take, question);
    if (emailId === undefined)
      await tx.query("delete from taken_email where owner_id = $1 and waiter = $2", [ownerId, waiter]);
    else
      await tx.query("update taken_email set email_id = $3, taken_at = now() where owner_id = $1 and waiter = $2", [
        ownerId,
        waiter,
        emailId,
      ]);
    return emailId;
  });
}

async function firstOf(queryable: Queryable, statement: string, question: Question): Promise<string | undefined> {
  const { bindingId, ownerId, recipient, from, subject, since } = question;
  const params = [isId(bindingId) ? bindingId : null, ownerId, recipient, from, subject, since];
  const { rows } = await queryable.query<{ emailId: string }>(
    statement,
    params.map((each) => each ?? null),
  );
  return rows[0]?.emailId;
}

/** What a waiter took before. Of two requests of one waiter the second waits here for the first. */
async function formerOf(tx: Transaction, waiter: string, ownerId: string): Promise<string | undefined> {
  await tx.query(
    "insert into taken_email (waiter, owner_id) values ($1, $2) on conflict (owner_id, waiter) do nothing",
    [waiter, ownerId],
  );
  const { rows } = await tx.query<{ emailId: string | null }>(
    "select email_id from taken_email where owner_id = $1 and waiter = $2 for update",
    [ownerId, waiter],
  );
  return rows[0]?.emailId ?? undefined;
}
