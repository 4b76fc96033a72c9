import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import { addToDays } from "./mail-counts.ts";

const ownedEmails = recordSet({ ownerId: "uuid", emailId: "uuid" });

/** Takes emails out of all lists, and their failures and what was unread out of the counts. Locks are taken in this order everywhere: emails,
 * their entries, days, the storage of an account; so it is called before contents are deleted. */
export async function removeEntries(
  tx: Transaction,
  emails: readonly { ownerId: string; emailId: string }[],
): Promise<void> {
  if (emails.length === 0) return;
  await tx.query(
    `with entry as materialized (
       select mail_entry.* from mail_entry join ${ownedEmails.from("given")} using (owner_id, email_id)
        order by owner_id, email_id for update of mail_entry),
     gone as (
       delete from mail_entry using entry where mail_entry.owner_id = entry.owner_id and mail_entry.email_id = entry.email_id),
     change as (
       select owner_id, binding_id, received_at, 0 as received, 0 as delivered, -sign(failed_count) as failed, -is_unread::integer as unread
         from entry)
     ${addToDays}`,
    ownedEmails.params(emails),
    { name: "mail_entry_remove" },
  );
}

/** Marks emails of the owner as read or unread; what is missing, another account's or not kept is left out. @returns their ids */
export async function markEmails(
  db: Database,
  ownerId: string,
  emailIds: readonly string[],
  isUnread: boolean,
): Promise<string[]> {
  return mark(db, "email_id = any ($3::uuid[])", [ownerId, isUnread, emailIds.filter(isId)], "mail_entry_mark");
}

const batchLimit = 1_000;

/** Marks all that is unread as read, of one binding or of the account, a bounded number at a time. @returns how many */
export async function markAllRead(db: Database, ownerId: string, bindingId: string | undefined): Promise<number> {
  const which = `email_id = any (array(
    select email_id from mail_entry where owner_id = $1 and is_unread and ($3::uuid is null or binding_id = $3) limit ${batchLimit}))`;
  if (bindingId !== undefined && !isId(bindingId)) return 0;
  let count = 0;
  for (;;) {
    const { length } = await mark(db, which, [ownerId, false, bindingId ?? null], "mail_entry_mark_all");
    count += length;
    if (length < batchLimit) return count;
  }
}

async function mark(db: Database, which: string, params: readonly unknown[], name: string): Promise<string[]> {
  const statement = `with entry as materialized (
       select owner_id, email_id, binding_id, received_at from mail_entry
        where owner_id = $1 and is_kept and is_unread <> $2 and ${which} order by owner_id, email_id for update),
     marked as (
       update mail_entry set is_unread = $2 from entry
        where mail_entry.owner_id = entry.owner_id and mail_entry.email_id = entry.email_id),
     change as (
       select *, 0 as received, 0 as delivered, 0 as failed, case when $2 then 1 else -1 end as unread from entry),
     days as (${addToDays})
     select email_id from entry`;
  // An erasure locks the days of a binding in an order of its own: whoever loses to it tries again.
  const { rows } = await db.tx((tx) => tx.query<{ emailId: string }>(statement, params, { name }), { attempts: 3 });
  return rows.map(({ emailId }) => emailId);
}
