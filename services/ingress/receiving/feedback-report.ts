import { splitAddress } from "../../message/address/addr-spec.ts";
import { bodyOf, type HeaderField } from "../../message/header/fields.ts";
import { parseParameterized } from "../../message/mime/parameters.ts";
import type { MailTransaction } from "./mail-transaction.ts";
import { isAbuseAddress } from "./recipients.ts";

/** Adds an email for forwarder to the transaction where the message is a feedback report (RFC 5965) to abuse@ of a domain. */
export function addComplaint(transaction: MailTransaction, fields: readonly HeaderField[]): void {
  if (!isFeedbackReport(fields)) return;
  const abuse = transaction.emails.find(({ recipient }) => isAbuseAddress(splitAddress(recipient.address)));
  if (abuse) transaction.add({ kind: "complaint", address: abuse.recipient.address });
}

/** RFC 5965 section 2. */
function isFeedbackReport(fields: readonly HeaderField[]): boolean {
  const { value, parameters } = parseParameterized(bodyOf(fields, "content-type") ?? "");
  return value === "multipart/report" && parameters.get("report-type")?.bytes.toLowerCase() === "feedback-report";
}
