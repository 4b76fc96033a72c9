import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { NoticeRequested } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { domainOf } from "../../message/address/addr-spec.ts";
import { isAscii } from "../../message/coding/ascii.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { isId, newId } from "../../platform/ids.ts";
import { organisationalDomain } from "../../platform/net/organisational-domain.ts";

const newNotices = recordSet({
  noticeId: "uuid",
  ownerId: "uuid",
  kind: "text",
  subject: "text",
  text: "text",
  html: "text",
  requestedAt: "timestamptz",
  deliveryId: "uuid",
  address: "text",
  domain: "text",
  organisationalDomain: "text",
  smtpUtf8: "boolean",
  trace: "jsonb",
});

/** One delivery for each message of the service's own; what it says is kept beside it until it is settled. */
export async function insertNotices(tx: Transaction, events: readonly IncomingEvent<NoticeRequested>[]): Promise<void> {
  const rows = events.map(({ message: notice, trace }) => ({
    noticeId: notice.noticeId,
    ownerId: isId(notice.accountId) ? notice.accountId : null,
    kind: notice.kind,
    subject: notice.subject,
    text: notice.text,
    html: notice.html ?? null,
    requestedAt: notice.requestedAt ? timestampDate(notice.requestedAt) : new Date(),
    deliveryId: newId(),
    address: notice.recipient,
    domain: domainOf(notice.recipient),
    organisationalDomain: organisationalDomain(domainOf(notice.recipient)),
    smtpUtf8: !isAscii(notice.recipient),
    trace,
  }));
  await tx.query(
    `with requested as (
       select * from ${newNotices.from("notice")}
     ), scheduled as (
       insert into delivery (id, notice_id, owner_id, address, domain, organisational_domain, received_at, smtp_utf8, trace)
       select delivery_id, notice_id, owner_id, address, domain, organisational_domain, requested_at, smtp_utf8, trace from requested
       on conflict (notice_id) do nothing returning notice_id
     )
     insert into notice (id, kind, subject, text, html, requested_at)
     select notice_id, kind, subject, text, html, requested_at from requested join scheduled using (notice_id)`,
    newNotices.params(rows),
    { name: "schedule_notices" },
  );
}
