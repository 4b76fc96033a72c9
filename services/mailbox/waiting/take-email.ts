import type { z } from "zod";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import type { mailboxContract } from "../contract.ts";
import { parametersOf, peekStatement, takeStatement } from "./matching-emails.ts";

export type Question = z.output<(typeof mailboxContract)["procedures"]["takeEmail"]["input"]>;

/**
 * The oldest stored email that matches and that nobody has taken; undefined where there is none yet. With `take` it is nobody
 * else's from then on, and the same waiter gets the same one.
 */
export async function takeEmail(db: Database, question: Question): Promise<string | undefined> {
  if (!isId(question.bindingId)) return undefined;
  if (!question.take) return firstOf(db, peekStatement(question), question);
  const { waiter, ownerId } = question;
  const take = takeStatement(question);
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
  const { rows } = await queryable.query<{ emailId: string }>(statement, parametersOf(question));
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
