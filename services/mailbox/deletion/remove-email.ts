import type { BlobStore } from "../../platform/blobs/types.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { letGo, settle } from "../emails/progress.ts";

/**
 * Removes what is kept of an email at once; its raw bytes go as soon as no delivery needs them. The envelope and the timeline
 * stay until retention takes them.
 * @throws Refusal NotFound: missing, somebody else's and removed before alike.
 */
export async function removeEmail(db: Database, blobs: BlobStore, ownerId: string, emailId: string): Promise<void> {
  const isRemoved = isId(ownerId) && isId(emailId) && (await db.tx((tx) => removeOwned(tx, blobs, ownerId, emailId)));
  if (!isRemoved) throw new Refusal("NotFound", { public: "There is no such email." });
}

async function removeOwned(tx: Transaction, blobs: BlobStore, ownerId: string, emailId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    "update email set removed_at = now(), updated_at = now() where id = $1 and owner_id = $2 and removed_at is null",
    [emailId, ownerId],
  );
  if (rowCount === 0) return false;
  const unread = await deleteContent(tx, blobs, [emailId]);
  await cancelCallbacks(tx, unread);
  await letGo(tx, [emailId]);
  return true;
}

/** What was removed before it was read is never announced by mail.stored, so that nobody else ends its callback. */
async function cancelCallbacks(tx: Transaction, emailIds: readonly string[]): Promise<void> {
  await tx.query(
    `insert into timeline (email_id, kind, target_id, at, target, is_end)
     select id, 'callback_cancelled', binding_id, now(), callback_url, true from email where id = any ($1::uuid[]) and callback_url <> ''
     on conflict do nothing`,
    [emailIds],
  );
  await settle(tx, emailIds);
}

/**
 * Deletes what was read of emails, or was to be. The caller holds their locks.
 * @returns the ids of those that were yet to be read.
 */
export async function deleteContent(tx: Transaction, blobs: BlobStore, emailIds: readonly string[]): Promise<string[]> {
  const unread = await tx.query<{ id: string }>(
    "delete from parse_job where email_id = any ($1::uuid[]) returning email_id as id",
    [emailIds],
  );
  await tx.query("delete from content where email_id = any ($1::uuid[])", [emailIds]);
  const { rows } = await tx.query<{ blobId: string }>(
    `delete from attachment where email_id = any ($1::uuid[]) returning blob_id as "blobId"`,
    [emailIds],
  );
  if (rows.length > 0)
    await blobs.remove(
      tx,
      rows.map((row) => row.blobId),
    );
  return unread.rows.map((row) => row.id);
}
