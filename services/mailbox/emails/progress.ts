import { create } from "@bufbuild/protobuf";
import { MailReleasedSchema } from "../../../proto/gen/postern/mailbox/v1/mail_released_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox.ts";

/**
 * Locks emails until the transaction ends. Taken before any change of an email's progress, so that of two concurrent
 * transactions with the last two outcomes the second sees the first.
 */
export async function lockEmails(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query("select from email where id = any ($1::uuid[]) order by id for no key update", [ids], {
    name: "email_lock",
  });
}

/** Marks emails as processed whose outcomes have all arrived. The caller holds their locks. */
export async function markProcessed(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `with ends as (
       select email_id, count(distinct target_id) as count from timeline where email_id = any ($1::uuid[]) and is_end group by email_id)
     update email set is_processed = true, updated_at = now() from ends
      where id = ends.email_id and not is_processed and expected_outcomes <= ends.count`,
    [ids],
    { name: "email_mark_processed" },
  );
}

/**
 * Publishes mail.released for emails that are processed and parsed, unless they are browsable, and for erased ones. Contents
 * that were stored for a callback only are then due for retention. The only place that decides this. The caller holds the locks.
 */
export async function releaseRawMessages(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.query<{ emailId: string; rawId: string }>(
    `with released as (
       update email set is_released = true
        where id = any ($1::uuid[]) and not is_released and raw_id is not null
          and (erased_at is not null or (is_processed and (not is_browsable or removed_at is not null)))
          and id <> all (array(select email_id from parse_job where email_id = any ($1::uuid[])))
       returning id, raw_id),
     served as (update content set served_at = now() from released where email_id = released.id)
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
