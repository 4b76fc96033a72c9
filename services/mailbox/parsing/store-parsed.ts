import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NIL } from "uuid";
import { MailStoredSchema } from "../../../proto/gen/postern/mailbox/v1/mail_stored_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { PreparedBlob } from "../../platform/blobs/types.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { addAccountEvents, arrivedEvent } from "../account-events/add-events.ts";
import { lockEmails } from "../emails/lock-emails.ts";
import { releaseRawMessages } from "../emails/release-raw-messages.ts";
import type { ContentStores } from "../emails/storage-quota.ts";
import { addTimelineEntries, type NewTimelineEntry } from "../emails/timeline.ts";
import { addToDays } from "../lists/mail-counts.ts";
import { wordsOf } from "../lists/search-words.ts";
import type { ParsedContent } from "./parse-content.ts";

const noBytes = Buffer.alloc(0);

const newContents = recordSet({
  emailId: "uuid",
  subject: "text",
  attachmentCount: "integer",
  headers: "json",
  fromName: "text",
  fromAddress: "text",
  preview: "text",
  searched: "text",
  bodyPlain: "bytea",
  bodyHtml: "bytea",
  isTruncated: "boolean",
});
const newAttachments = recordSet({
  emailId: "uuid",
  index: "integer",
  filename: "text",
  mime: "text",
  sizeBytes: "bigint",
  contentId: "text",
  blobId: "uuid",
});

/** A parsed message, the blobs of its attachments prepared. */
interface ParsedMail {
  readonly emailId: string;
  readonly content: ParsedContent<PreparedBlob>;
  /** The trace that mail.stored continues. */
  readonly trace: Readonly<Record<string, string>>;
}

export interface StoredEmail {
  emailId: string;
  ownerId: string;
  bindingId: string;
  recipient: string;
  proxyAddress: string;
  callbackUrl: string;
  isBrowsable: boolean;
  receivedAt: Date;
  direction: string;
}

/**
 * Stores a batch of parsed emails and publishes mail.stored, in one transaction. An email that was removed meanwhile, or that
 * another worker has stored, has no parse job any more and is dropped.
 * @returns those that were stored.
 */
export async function storeParsedMails(
  db: Database,
  { blobs, storage }: ContentStores,
  mails: readonly ParsedMail[],
): Promise<StoredEmail[]> {
  const stored = await db.tx(async (tx) => {
    await lockEmails(
      tx,
      mails.map((mail) => mail.emailId),
    );
    const emails = await finishJobs(tx, mails);
    const kept = mails.filter((mail) => emails.has(mail.emailId));
    if (kept.length === 0) return emails;
    await blobs.attach(tx, kept.flatMap(blobsOf));
    await insertContent(tx, kept);
    await storage.add(tx, [...emails.keys()]);
    await insertAttachments(tx, kept);
    await addTimelineEntries(
      tx,
      kept.flatMap(({ emailId, content }) => entriesOf(emailId, content)),
    );
    await publish(
      tx,
      kept.flatMap(({ emailId, trace }) => storedEvents(emails.get(emailId), trace)),
    );
    await releaseRawMessages(tx, [...emails.keys()]);
    await addAccountEvents(tx, [...emails.values()].flatMap(arrivalOf));
    return emails;
  });
  const unwanted = mails.filter((mail) => !stored.has(mail.emailId)).flatMap(blobsOf);
  await Promise.all(unwanted.map((blob) => blobs.discard(blob)));
  return [...stored.values()];
}

function arrivalOf(email: StoredEmail) {
  return email.direction === "FORWARD" ? [arrivedEvent({ ...email, at: email.receivedAt })] : [];
}

function blobsOf({ content }: ParsedMail): PreparedBlob[] {
  return content.attachments.map((attachment) => attachment.stored);
}

/** Deletes the jobs that still exist, and returns their emails. */
async function finishJobs(tx: Transaction, mails: readonly ParsedMail[]): Promise<Map<string, StoredEmail>> {
  const { rows } = await tx.query<StoredEmail>(
    `with job as (delete from parse_job where email_id = any ($1::uuid[]) returning email_id)
     update email set updated_at = now() from job where id = job.email_id and removed_at is null and erased_at is null
     returning id as email_id, owner_id, binding_id, recipient, proxy_address,
               callback_url, is_browsable, received_at, direction`,
    [mails.map((mail) => mail.emailId)],
    { name: "parse_job_finish" },
  );
  return new Map(rows.map((row) => [row.emailId, row]));
}

/**
 * Inserts contents, their words for those that search them, and their tags for those that wait for them. What came from outside is
 * unread. Mail to the operator, whose owner is the nil UUID, is not counted in storage. Bodies are sent as bytes; a missing one is empty.
 */
async function insertContent(tx: Transaction, mails: readonly ParsedMail[]): Promise<void> {
  await tx.query(
    `with mail as materialized (
       select given.*, owner_id, binding_id, is_browsable, size_bytes, direction, recipient
         from ${newContents.from("given")} join email on email.id = email_id),
     stored as (
       insert into content (email_id, binding_id, is_browsable, subject, attachment_count, headers, from_name, from_address, preview,
              body_plain, body_html, is_truncated, kept_owner_id, kept_bytes)
       select email_id, binding_id, is_browsable, subject, attachment_count, headers, from_name, from_address, preview,
              nullif(convert_from(body_plain, 'UTF8'), ''), nullif(convert_from(body_html, 'UTF8'), ''), is_truncated, owner_id,
              case when is_browsable and owner_id <> '${NIL}' then size_bytes end
         from mail),
     words as (
       insert into mail_search (email_id, owner_id, words)
       select email_id, owner_id, ${wordsOf("subject || ' ' || searched")} from mail where is_browsable),
     tagged as (
       insert into tagged_email (email_id, binding_id, recipient)
       select email_id, binding_id, lower(recipient) from mail where is_browsable and strpos(recipient, '+') > 0),
     entry as (
       update mail_entry set is_kept = true, is_unread = direction = 'FORWARD'
         from mail where mail.is_browsable and mail_entry.owner_id = mail.owner_id and mail_entry.email_id = mail.email_id
       returning mail_entry.owner_id, mail_entry.binding_id, received_at, is_unread),
     change as (
       select owner_id, binding_id, received_at, 0 as received, 0 as delivered, 0 as failed, is_unread::integer as unread from entry)
     ${addToDays}`,
    newContents.params(
      mails.map(
        ({ emailId, content: { subject, author, summary, attachments, headers, text, html, isTruncated } }) => ({
          emailId,
          subject,
          attachmentCount: attachments.length,
          headers,
          fromName: author?.name,
          fromAddress: author?.address,
          ...summary,
          bodyPlain: text ?? noBytes,
          bodyHtml: html ?? noBytes,
          isTruncated,
        }),
      ),
    ),
    { name: "content_insert" },
  );
}

async function insertAttachments(tx: Transaction, mails: readonly ParsedMail[]): Promise<void> {
  const rows = mails.flatMap(({ emailId, content }) =>
    content.attachments.map(({ filename, mime, contentId, stored }, index) => {
      return { emailId, index, filename, mime, sizeBytes: stored.sizeBytes, contentId, blobId: stored.id };
    }),
  );
  if (rows.length === 0) return;
  await tx.query(
    `insert into attachment (${newAttachments.columns}) select * from ${newAttachments.from("attachment")}`,
    newAttachments.params(rows),
  );
}

function entriesOf(emailId: string, { fault, isTruncated }: ParsedMail["content"]): NewTimelineEntry[] {
  const entry = { emailId, targetId: null, attemptCount: 0, at: new Date(), target: null, detail: null, isEnd: false };
  const entries: NewTimelineEntry[] = [{ ...entry, kind: "stored" }];
  if (isTruncated) entries.unshift({ ...entry, kind: "truncated" });
  if (fault !== null) entries.unshift({ ...entry, kind: "partly_unreadable", detail: fault });
  return entries;
}

/** mail.stored, which has webhook insert the callback of an email. */
export function storedEvents(
  stored: Omit<StoredEmail, "direction" | "isBrowsable"> | undefined,
  trace: ParsedMail["trace"],
): OutgoingEvent[] {
  if (!stored) return [];
  const { emailId, ownerId, bindingId, proxyAddress, callbackUrl } = stored;
  const receivedAt = timestampFromDate(stored.receivedAt);
  const message = create(MailStoredSchema, {
    emailId,
    ownerId,
    bindingId,
    proxyAddress,
    callbackUrl,
    receivedAt,
  });
  return [event(topics.mailStored, message, { trace })];
}
