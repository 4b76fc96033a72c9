import { domainOf } from "../../message/address/addr-spec.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { newId } from "../../platform/ids.ts";
import { organisationalDomain } from "../../platform/net/organisational-domain.ts";
import type { ReportDraft } from "./author-reports.ts";

const newReports = recordSet({
  toldOf: "uuid",
  noticeId: "uuid",
  deliveryId: "uuid",
  address: "text",
  domain: "text",
  organisationalDomain: "text",
  smtpUtf8: "boolean",
  eightBitMime: "boolean",
  message: "bytea",
});

/** One delivery for each report, to be sent as it was composed. Nobody is told twice of the same: author_report.email_id is what it tells of. */
export async function insertReports(tx: Transaction, reports: readonly ReportDraft[]): Promise<void> {
  if (reports.length === 0) return;
  const rows = reports.map((report) => ({
    toldOf: report.toldOf,
    noticeId: report.noticeId,
    deliveryId: newId(),
    address: report.author,
    domain: domainOf(report.author),
    organisationalDomain: organisationalDomain(domainOf(report.author)),
    smtpUtf8: report.smtpUtf8,
    eightBitMime: report.eightBitMime,
    message: report.message,
  }));
  await tx.query(
    `with drafted as (
       select distinct on (told_of) * from ${newReports.from("report")}
     ), first as (
       insert into author_report (email_id) select told_of from drafted order by told_of on conflict do nothing returning email_id
     ), scheduled as (
       insert into delivery (id, notice_id, address, domain, organisational_domain, received_at, smtp_utf8, eight_bit_mime)
       select delivery_id, notice_id, address, domain, organisational_domain, now(), smtp_utf8, eight_bit_mime from drafted join first on email_id = told_of
       returning notice_id
     )
     insert into notice (id, kind, subject, text, requested_at, message)
     select notice_id, 'delivery-status', '', '', now(), message from drafted join scheduled using (notice_id)`,
    newReports.params(rows),
    { name: "schedule_reports" },
  );
}
