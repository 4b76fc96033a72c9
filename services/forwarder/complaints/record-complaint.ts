import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { DeliveryComplainedSchema } from "../../../proto/gen/postern/forwarder/v1/delivery_complained_pb.js";
import { Channel } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import type { ComplaintReceived } from "../../../proto/gen/postern/ingress/v1/complaint_received_pb.js";
import { MailReleasedSchema } from "../../../proto/gen/postern/mailbox/v1/mail_released_pb.js";
import { topics } from "../../../proto/topics.ts";
import { domainOf, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";
import type { DueRow } from "../../platform/jobs/claim-due.ts";
import { prune, pruneLimit } from "../../platform/jobs/prune.ts";
import { registeredDomain } from "../../platform/net/organisational-domain.ts";
import type { ComplainedDelivery } from "./complained-delivery.ts";
import type { Complaint } from "./read-complaint.ts";

export interface ComplaintMail extends DueRow {
  readonly emailId: string;
  readonly rawId: string;
  readonly reporter: string;
  readonly receivedAt: Date;
}

const complaintMails = recordSet({ emailId: "uuid", rawId: "uuid", reporter: "text", receivedAt: "timestamptz" });

/** Records feedback reports, to be read soon. */
export async function recordComplaintMails(tx: Transaction, mails: readonly ComplaintReceived[]): Promise<void> {
  await tx.query(
    `insert into complaint_mail (${complaintMails.columns}) select * from ${complaintMails.from("mail")} on conflict do nothing`,
    complaintMails.params(
      mails.map(({ emailId, rawId, reporter, receivedAt }) => {
        return { emailId, rawId, reporter, receivedAt: receivedAt ? timestampDate(receivedAt) : new Date() };
      }),
    ),
  );
}

/**
 * Records what a report says, once for each delivery however many come, and releases the report's bytes; in one transaction. Of one
 * delivery the first report counts whose sender is proved.
 * @returns whether it is the first of its delivery
 */
export async function recordComplaint(
  db: Database,
  mail: ComplaintMail,
  matched: { complaint: Complaint; delivery: ComplainedDelivery } | undefined,
): Promise<boolean> {
  const { emailId, rawId, reporter, receivedAt } = mail;
  return db.tx(async (tx) => {
    const { rowCount } = await tx.query("delete from complaint_mail where email_id = $1", [emailId]);
    if (rowCount === 0) return false;
    await publish(tx, event(topics.mailReleased, create(MailReleasedSchema, { emailId, rawId })));
    if (!matched) return false;
    const { complaint, delivery } = matched;
    const { isCounted, reporterDomain, contactDomain } = complaintWeight(reporter, delivery);
    const { rows } = await tx.query<{ isNew: boolean }>(
      `insert into complaint (delivery_id, email_id, owner_id, address_id, is_answer, feedback_type, reporter, complained_at, is_counted, reporter_domain, contact_domain)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (delivery_id) do update
         set reporter = excluded.reporter, is_counted = excluded.is_counted,
             reporter_domain = excluded.reporter_domain, contact_domain = excluded.contact_domain
         where complaint.reporter = '' and excluded.reporter <> ''
       returning xmax = 0 as is_new`,
      [
        ...[delivery.id, delivery.emailId, delivery.ownerId, delivery.addressId, delivery.isAnswer],
        ...[complaint.feedbackType, reporter, receivedAt, isCounted, reporterDomain, contactDomain],
      ],
    );
    if (!rows[0]?.isNew) return false;
    const message = create(DeliveryComplainedSchema, {
      emailId: delivery.emailId,
      channel: delivery.isAnswer ? Channel.ANSWER : Channel.FORWARD,
      targetId: delivery.addressId,
      target: delivery.address,
      feedbackType: complaint.feedbackType,
      reporter,
      complainedAt: timestampFromDate(receivedAt),
    });
    await publish(tx, event(topics.deliveryComplained, message));
    return true;
  });
}

/** What can pause an account: about what a person wrote, from a sender who is proved. */
function complaintWeight(reporter: string, { address, isAnswer, isAutomatic }: ComplainedDelivery) {
  if (reporter === "" || !isAnswer || isAutomatic) return { isCounted: false, reporterDomain: "", contactDomain: "" };
  const contactDomain = registeredDomain(domainOf(withAsciiDomain(address)).toLowerCase());
  return { isCounted: true, reporterDomain: registeredDomain(reporter.toLowerCase()), contactDomain };
}

/** A complaint as an operator sees it: without its recipient. */
interface ListedComplaint {
  ownerId: string;
  emailId: string;
  isAnswer: boolean;
  feedbackType: string;
  reporter: string;
  complainedAt: string;
  isCounted: boolean;
}

/** The latest first. */
export async function listComplaints(db: Database, limit: number): Promise<ListedComplaint[]> {
  const { rows } = await db.query<Omit<ListedComplaint, "complainedAt"> & { complainedAt: Date }>(
    `select owner_id, email_id, is_answer, feedback_type, reporter, complained_at, is_counted from complaint
      order by complained_at desc, delivery_id limit $1`,
    [limit],
  );
  return rows.map((row) => ({ ...row, complainedAt: row.complainedAt.toISOString() }));
}

/** Removes a bounded number of complaints of more than so many days ago. @returns whether there may be more */
export async function pruneComplaints(db: Database, keptDays: number): Promise<boolean> {
  const where = "complained_at < now() - make_interval(days => $1)";
  const pruning = { table: "complaint", key: "delivery_id", where, orderBy: "complained_at", limit: pruneLimit };
  return (await prune(db, pruning, [keptDays])).mayBeMore;
}
