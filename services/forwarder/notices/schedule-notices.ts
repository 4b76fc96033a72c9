import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { NoticeRequested } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { isId, newId } from "../../platform/ids.ts";
import { domainOf } from "../deliveries/schedule-forwards.ts";

/** One delivery for each message of the service's own; what it says is kept beside it until it is settled. */
export async function scheduleNotices(
  tx: Transaction,
  events: readonly IncomingEvent<NoticeRequested>[],
): Promise<void> {
  const rows = events.map(({ message: notice, trace }) => ({
    notice_id: notice.noticeId,
    owner_id: isId(notice.accountId) ? notice.accountId : null,
    kind: notice.kind,
    subject: notice.subject,
    text: notice.text,
    html: notice.html ?? null,
    requested_at: notice.requestedAt ? timestampDate(notice.requestedAt) : new Date(),
    delivery_id: newId(),
    address: notice.recipient,
    domain: domainOf(notice.recipient),
    smtp_utf8: /\P{ASCII}/u.test(notice.recipient),
    trace,
  }));
  await tx.query(
    `with requested as (
       select * from json_to_recordset($1::json) as row(notice_id uuid, owner_id uuid, kind text, subject text, text text, html text,
         requested_at timestamptz, delivery_id uuid, address text, domain text, smtp_utf8 boolean, trace jsonb)
     ), scheduled as (
       insert into delivery (id, notice_id, owner_id, address, domain, received_at, smtp_utf8, trace)
       select delivery_id, notice_id, owner_id, address, domain, requested_at, smtp_utf8, trace from requested
       on conflict (notice_id) do nothing returning notice_id
     )
     insert into notice (id, kind, subject, text, html, requested_at)
     select notice_id, kind, subject, text, html, requested_at from requested join scheduled using (notice_id)`,
    [JSON.stringify(rows)],
    { name: "schedule_notices" },
  );
}
