import { create } from "@bufbuild/protobuf";
import { MailReleasedSchema } from "../../../proto/gen/postern/mailbox/v1/mail_released_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";

/** Whether raw bytes of an email that is processed or erased are still held, and of no use any more. `$1` has its id among others. */
export const isUnneeded = `not is_released and raw_id is not null and (erased_at is not null or not is_browsable or removed_at is not null)
  and id <> all (array(select email_id from parse_job where email_id = any ($1::uuid[])))`;

/**
 * A part of a statement: contents of emails in `released` that were stored for a callback only are due for retention (`served_at`: since when
 * nothing reads them).
 */
export const retireContents =
  "callback_only as (update content set served_at = now() from released where email_id = released.id)";

/**
 * Publishes mail.released for emails that are processed and not read any more, and for erased ones. Outcomes that make an email processed
 * do so by themselves: see countOutcomes. The caller holds the locks.
 */
export async function releaseRawMessages(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.query<{ emailId: string; rawId: string }>(
    `with released as (
       update email set is_released = true
        where id = any ($1::uuid[]) and (is_processed or erased_at is not null) and ${isUnneeded}
       returning id, raw_id),
     ${retireContents}
     select id as email_id, raw_id from released`,
    [ids],
    { name: "email_release" },
  );
  await publishReleased(tx, rows);
}

/** Tells ingress that these raw bytes are not needed any more. */
export async function publishReleased(
  tx: Transaction,
  emails: readonly { emailId: string; rawId: string }[],
): Promise<void> {
  await publish(
    tx,
    emails.map(({ emailId, rawId }) => event(topics.mailReleased, create(MailReleasedSchema, { emailId, rawId }))),
  );
}
