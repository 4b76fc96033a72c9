import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailReturned } from "../../../proto/gen/postern/ingress/v1/mail_returned_pb.js";
import type { Transaction } from "../../platform/db/types.ts";

/** Records mail that came back to reverse paths, to be read soon. */
export async function recordReturned(tx: Transaction, mails: readonly MailReturned[]): Promise<void> {
  const rows = mails.map((mail) => ({
    email_id: mail.emailId,
    raw_id: mail.rawId,
    recipient: mail.recipient,
    envelope_sender: mail.envelopeSender,
    received_at: mail.receivedAt ? timestampDate(mail.receivedAt) : new Date(),
  }));
  await tx.query(
    `insert into returned_mail (email_id, raw_id, recipient, envelope_sender, received_at)
     select * from json_to_recordset($1::json) as row(email_id uuid, raw_id uuid, recipient text, envelope_sender text,
       received_at timestamptz)
     on conflict do nothing`,
    [JSON.stringify(rows)],
    { name: "record_returned" },
  );
}
