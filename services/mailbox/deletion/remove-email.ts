import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { countOutcomes } from "../emails/outcome-counts.ts";
import { releaseRawMessages } from "../emails/release-raw-messages.ts";
import type { ContentStores } from "../emails/storage-quota.ts";
import { removeEntries } from "../lists/list-entries.ts";

/**
 * Deletes the stored content of an email; its raw bytes are released as soon as no delivery needs them. The envelope and the
 * timeline stay until retention deletes them.
 * @throws Refusal NotFound (missing, another account's, or removed before).
 */
export async function removeEmail(
  db: Database,
  stores: ContentStores,
  ownerId: string,
  emailId: string,
): Promise<void> {
  // An erasure locks the days of a binding in an order of its own: whoever loses to it tries again.
  const isRemoved = isId(emailId) && (await db.tx((tx) => removeOwned(tx, stores, ownerId, emailId), { attempts: 3 }));
  if (!isRemoved) throw new Refusal("NotFound", { public: "There is no such email." });
}

async function removeOwned(tx: Transaction, stores: ContentStores, ownerId: string, emailId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    "update email set removed_at = now(), updated_at = now() where id = $1 and owner_id = $2 and removed_at is null",
    [emailId, ownerId],
  );
  if (rowCount === 0) return false;
  await removeEntries(tx, [{ ownerId, emailId }]);
  const unparsed = await deleteContent(tx, stores, [emailId]);
  await recordCancelledCallbacks(tx, unparsed);
  await releaseRawMessages(tx, [emailId]);
  return true;
}

/** An email removed before it was parsed never gets a mail.stored event, so webhook cannot cancel its callback. */
async function recordCancelledCallbacks(tx: Transaction, emailIds: readonly string[]): Promise<void> {
  await tx.query(
    `insert into timeline (email_id, kind, target_id, at, target, is_end)
     select id, 'callback_cancelled', binding_id, now(), callback_url, true from email where id = any ($1::uuid[]) and callback_url <> ''
     on conflict do nothing`,
    [emailIds],
  );
  await countOutcomes(tx, emailIds);
}

/**
 * Deletes the stored contents and the pending parse jobs of emails. The caller holds their locks.
 * @returns the ids of those whose parse job was still pending.
 */
export async function deleteContent(
  tx: Transaction,
  stores: ContentStores,
  emailIds: readonly string[],
): Promise<string[]> {
  const unparsed = await tx.query<{ id: string }>(
    "delete from parse_job where email_id = any ($1::uuid[]) returning email_id as id",
    [emailIds],
  );
  await stores.storage.deleteContents(tx, emailIds);
  const { rows } = await tx.query<{ blobId: string }>(
    `delete from attachment where email_id = any ($1::uuid[]) returning blob_id`,
    [emailIds],
  );
  if (rows.length > 0)
    await stores.blobs.remove(
      tx,
      rows.map((row) => row.blobId),
    );
  return unparsed.rows.map((row) => row.id);
}
