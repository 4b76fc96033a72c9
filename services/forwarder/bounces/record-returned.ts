import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailReturned } from "../../../proto/gen/postern/ingress/v1/mail_returned_pb.js";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";

const returnedMails = recordSet({
  emailId: "uuid",
  rawId: "uuid",
  recipient: "text",
  envelopeSender: "text",
  receivedAt: "timestamptz",
});

/** Records mail that came back to reverse paths, to be read soon. */
export async function recordReturned(tx: Transaction, mails: readonly MailReturned[]): Promise<void> {
  const rows = mails.map((mail) => ({
    emailId: mail.emailId,
    rawId: mail.rawId,
    recipient: mail.recipient,
    envelopeSender: mail.envelopeSender,
    receivedAt: mail.receivedAt ? timestampDate(mail.receivedAt) : new Date(),
  }));
  await tx.query(
    `insert into returned_mail (${returnedMails.columns}) select * from ${returnedMails.from("mail")} on conflict do nothing`,
    returnedMails.params(rows),
    { name: "record_returned" },
  );
}
