import type { Transaction } from "../../platform/db/types.ts";
import { newId } from "../../platform/ids.ts";
import { domainOf } from "../deliveries/schedule-forwards.ts";
import type { ReportDraft } from "./author-reports.ts";

/** One delivery for each report, to be sent as it was composed; an author whose report of an email is on its way gets no second. */
export async function scheduleReports(
  tx: Transaction,
  reports: readonly { emailId: string; report: ReportDraft }[],
): Promise<void> {
  if (reports.length === 0) return;
  const rows = reports.map(({ emailId, report }) => ({
    email_id: emailId,
    notice_id: report.noticeId,
    delivery_id: newId(),
    address: report.author,
    domain: domainOf(report.author),
    smtp_utf8: report.smtpUtf8,
    eight_bit_mime: report.eightBitMime,
    message: report.message.toString("base64"),
  }));
  await tx.query(
    `with drafted as (
       select distinct on (email_id) * from json_to_recordset($1::json) as row(email_id uuid, notice_id uuid, delivery_id uuid,
         address text, domain text, smtp_utf8 boolean, eight_bit_mime boolean, message text)
     ), first as (
       insert into author_report (email_id) select email_id from drafted order by email_id on conflict do nothing returning email_id
     ), scheduled as (
       insert into delivery (id, notice_id, address, domain, received_at, smtp_utf8, eight_bit_mime)
       select delivery_id, notice_id, address, domain, now(), smtp_utf8, eight_bit_mime from drafted join first using (email_id)
       returning notice_id
     )
     insert into notice (id, kind, subject, text, requested_at, message)
     select notice_id, 'delivery-status', '', '', now(), decode(message, 'base64') from drafted join scheduled using (notice_id)`,
    [JSON.stringify(rows)],
    { name: "schedule_reports" },
  );
}
