import type { Readable } from "node:stream";
import type { BlobStore, PreparedBlob } from "../../platform/blobs/types.ts";
import { binaryArray } from "../../platform/db/binary-values.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { dayMs } from "../../platform/durations.ts";
import type { OutgoingEvent } from "../../platform/events/outbox/outbox.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { prune } from "../../platform/jobs/prune.ts";
import { keptEvents } from "./kept-messages.ts";

/** A message to be stored: its prepared bytes, the emails that need them, and the event of each. */
export interface RawMessage {
  readonly blob: PreparedBlob;
  readonly emailIds: readonly string[];
  readonly events: readonly OutgoingEvent[];
  /** How often it will be read within seconds, by whoever takes the events: see AttachOptions. */
  readonly expectedReads: number;
}

const newMessages = recordSet({ rawId: "uuid", emailIds: "uuid[]", events: "bytea" });

/** Messages that one transaction removes. */
const expiryLimit = 500;

/** Raw messages, each stored until none of its emails needs it. */
export class RawMessages {
  readonly #db: Database;
  readonly #blobs: BlobStore;

  constructor(db: Database, blobs: BlobStore) {
    this.#db = db;
    this.#blobs = blobs;
  }

  /** Stores messages with the transaction. */
  async keep(tx: Transaction, messages: readonly RawMessage[]): Promise<void> {
    const attached = this.#blobs.attach(
      tx,
      messages.map((message) => message.blob),
      { expectedReads: messages.map((message) => message.expectedReads) },
    );
    const inserted = tx.query(
      `insert into raw_message (${newMessages.columns}) select * from ${newMessages.from("message")}`,
      newMessages.params(
        messages.map(({ blob, emailIds, events }) => ({
          rawId: blob.id,
          emailIds,
          events: keptEvents(emailIds, events),
        })),
      ),
      { name: "raw_message_insert" },
    );
    await Promise.all([attached, inserted]);
  }

  /** The bytes of a message. @throws Refusal NotFound once they are deleted */
  open(rawId: string): Promise<Readable> {
    return this.#blobs.open(rawId);
  }

  /** Records that emails no longer need their message, and deletes the messages that no email needs. */
  async release(tx: Transaction, emails: readonly { emailId: string; rawId: string }[]): Promise<void> {
    const rawIds = [...new Set(emails.map((email) => email.rawId))].sort();
    const params = [
      binaryArray("uuid", rawIds),
      binaryArray(
        "uuid",
        emails.map((email) => email.emailId),
      ),
    ];
    // The update comes first: of two transactions that release the last two emails of a message, the second waits here for the first,
    // and then deletes the message.
    const shortened = tx.query(
      `update raw_message set email_ids = array(select unnest(email_ids) except select unnest($2::uuid[])),
              events = convert_to((convert_from(events, 'UTF8')::jsonb - $2::text[])::text, 'UTF8')
        where raw_id = any ($1::uuid[]) and cardinality(email_ids) > 1`,
      params,
      { name: "raw_message_release" },
    );
    const deleted = tx.query<{ rawId: string }>(
      "delete from raw_message where raw_id = any ($1::uuid[]) and email_ids <@ $2::uuid[] returning raw_id",
      params,
      { name: "raw_message_delete" },
    );
    const [, { rows }] = await Promise.all([shortened, deleted]);
    await this.#blobs.remove(
      tx,
      rows.map((row) => row.rawId),
    );
  }

  /** Messages whose bytes are not in the bucket, or are damaged in their file, and their emails. */
  async lost({ after, before }: { after: string | null; before: string }) {
    const { found, next } = await this.#blobs.lostBlobs({ after, before: new Date(before) });
    const { rows } = await this.#db.query<{ blobId: string; emailIds: string[] }>(
      "select raw_id as blob_id, email_ids from raw_message where raw_id = any ($1::uuid[]) order by raw_id",
      [found],
    );
    return { blobs: rows, next };
  }

  /** Deletes messages older than `days`, a bounded number at a time. @returns whether there may be more */
  async expire(days: number): Promise<boolean> {
    return this.#db.tx(async (tx) => {
      const { rows, mayBeMore } = await prune<{ rawId: string }>(
        tx,
        { table: "raw_message", key: "raw_id", where: "raw_id < $1", limit: expiryLimit, returning: "raw_id" },
        [firstIdAt(new Date(Date.now() - days * dayMs))],
      );
      await this.#blobs.remove(
        tx,
        rows.map((row) => row.rawId),
      );
      return mayBeMore;
    });
  }
}
