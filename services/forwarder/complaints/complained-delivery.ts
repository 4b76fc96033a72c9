import { createHash } from "node:crypto";
import type { ReversePaths } from "../../message/address/reverse-path.ts";
import type { Database } from "../../platform/db/types.ts";
import type { Complaint } from "./read-complaint.ts";

/** A delivery that a complaint is about. */
export interface ComplainedDelivery {
  readonly id: string;
  readonly emailId: string;
  readonly ownerId: string;
  readonly addressId: string;
  readonly address: string;
  readonly isAnswer: boolean;
  /** A responder wrote the answer. */
  readonly isAutomatic: boolean;
}

const columns =
  "delivery.id, delivery.email_id, delivery.owner_id, address_id, address, is_answer, coalesce(is_automatic, false) as is_automatic";
/** What was tried at all may have arrived. */
const wasSent = "(delivery.state <> 'waiting' or jsonb_array_length(attempts) > 0)";

/**
 * Finds what a complaint is about, by what only those know who got the message: its reverse path, which has a MAC, or the Message-ID
 * that an answer left with, which is sealed. Addresses, dates and subjects prove nothing: anybody can write them into a report.
 */
export async function complainedDelivery(
  { db, reversePaths }: { db: Database; reversePaths: ReversePaths },
  { envelopeSenders, messageId, recipients }: Complaint,
  receivedAt: Date,
): Promise<ComplainedDelivery | undefined> {
  const ids = envelopeSenders.flatMap((address) => reversePaths.read(address, receivedAt) ?? []);
  const byPath = await db.query<ComplainedDelivery>(
    `select ${columns} from delivery left join answer using (email_id)
      where delivery.id = any ($1::uuid[]) and delivery.email_id is not null and ${wasSent} limit 1`,
    [ids],
  );
  if (byPath.rows[0] || messageId === undefined) return byPath.rows[0];
  // All copies of an answer have the same one: of several the report has to say which.
  const { rows } = await db.query<ComplainedDelivery>(
    `select ${columns} from answer join delivery on delivery.email_id = answer.email_id
      where message_id_digest = $1 and ${wasSent} order by delivery.id limit 200`,
    [messageIdDigest(messageId)],
  );
  const named = rows.filter(({ address }) => recipients.includes(address.toLowerCase()));
  return rows.length === 1 ? rows[0] : named[0];
}

/** @param messageId with its brackets */
export function messageIdDigest(messageId: string): Buffer {
  return createHash("sha256").update(messageId, "latin1").digest();
}
