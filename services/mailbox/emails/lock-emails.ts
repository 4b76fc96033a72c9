import type { Transaction } from "../../platform/db/types.ts";

/**
 * Locks emails until the transaction ends. Taken before any change of an email's progress, so that of two concurrent
 * transactions with the last two outcomes the second sees the first.
 */
export async function lockEmails(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query("select from email where id = any ($1::uuid[]) order by id for no key update", [ids], {
    name: "email_lock",
  });
}

/** The same, in the same order, for emails that may be missing yet: those are inserted without an envelope. */
export async function insertOrLockEmails(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(
    // A row that is there is locked by a conflict, whether it is updated or not.
    `insert into email (id) select id from unnest($1::uuid[]) as id order by id
     on conflict (id) do update set is_processed = email.is_processed where false`,
    [ids],
    { name: "email_precede" },
  );
}
