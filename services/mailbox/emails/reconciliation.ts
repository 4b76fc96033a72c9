import type { BlobStore } from "../../platform/blobs/types.ts";
import type { Database } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { type StoredEmail, storedEvents } from "../parsing/store-parsed.ts";

interface Progress {
  emailId: string;
  isProcessed: boolean;
  isReleased: boolean;
}

interface UnprocessedEmail {
  emailId: string;
  needsCallback: boolean;
  endedTargetIds: string[];
}

/** Of those emails that are known: one of which only outcomes came is not, and of one that was erased before it came nothing is needed. */
export async function progressOf(db: Database, emailIds: readonly string[]): Promise<Progress[]> {
  const { rows } = await db.query<Progress>(
    `select id as email_id, is_processed, is_released or raw_id is null as is_released
       from email where id = any ($1::uuid[]) and (raw_id is not null or erased_at is not null)`,
    [emailIds],
  );
  return rows;
}

/** Walks over the emails by age, a bounded number in each call. */
export async function unprocessedEmails(
  db: Database,
  { after, since, before, limit }: { after: string | null; since: string; before: string; limit: number },
): Promise<{ emails: UnprocessedEmail[]; nextAfter: string | null }> {
  const { rows } = await db.query<UnprocessedEmail & { isProcessed: boolean }>(
    `with page as materialized (
       select * from email where id > $1 and id >= $2 and id < $3 order by id limit $4)
     select id as email_id, is_processed or erased_at is not null as is_processed,
            callback_url <> '' and exists (select from content where content.email_id = page.id) as needs_callback,
            array(select target_id from timeline where timeline.email_id = page.id and is_end and target_id is not null and not page.is_processed)
              as ended_target_ids
       from page order by id`,
    [after ?? firstIdAt(new Date(0)), firstIdAt(new Date(since)), firstIdAt(new Date(before)), limit],
  );
  const emails = rows.flatMap(({ isProcessed, needsCallback, ...email }) =>
    isProcessed ? [] : [{ ...email, needsCallback: needsCallback === true }],
  );
  return { emails, nextAfter: rows.length < limit ? null : (rows.at(-1)?.emailId ?? null) };
}

/** Publishes mail.stored again: webhook inserts the callbacks that it does not have. Gives their number. */
export async function publishStoredAgain(db: Database, emailIds: readonly string[]): Promise<number> {
  return db.tx(async (tx) => {
    const { rows } = await tx.query<StoredEmail>(
      `select email.id as email_id, email.owner_id, email.binding_id, recipient, proxy_address, callback_url, received_at
         from email join content on content.email_id = email.id
        where email.id = any ($1::uuid[]) and callback_url <> '' and not is_processed`,
      [emailIds],
    );
    await publish(
      tx,
      rows.flatMap((row) => storedEvents(row, {})),
    );
    return rows.length;
  });
}

/** Attachments whose bytes are not in the bucket, by the email that has them. */
export async function lostAttachments(
  db: Database,
  blobs: BlobStore,
  { after, before }: { after: string | null; before: string },
) {
  const { found, next } = await blobs.lostBlobs({ after, before: new Date(before) });
  const { rows } = await db.query<{ blobId: string; emailIds: string[] }>(
    "select blob_id, array_agg(email_id) as email_ids from attachment where blob_id = any ($1::uuid[]) group by blob_id order by blob_id",
    [found],
  );
  return { blobs: rows, next };
}
