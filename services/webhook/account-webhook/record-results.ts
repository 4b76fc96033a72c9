import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import { attemptResultWriter } from "../../platform/jobs/attempt-result-writer.ts";
import type { OwnedResult } from "../calls/call-work.ts";
import { formerAttempts } from "../calls/exchange.ts";
import { keepOtherAttempts } from "../calls/keep-other-attempts.ts";
import { cancelWaiting } from "./account-webhook.ts";
import { eventCallJobs } from "./event-call.ts";

interface RecordedRow {
  id: string;
  ownerId: string;
  state: string;
}

const resultColumns = { url: "text", host: "text" } as const;

/** A call that has ended keeps the URL that it went to, whatever was set while it was under way. */
const recordInRows = attemptResultWriter<RecordedRow, typeof resultColumns>({
  ...eventCallJobs,
  columns: resultColumns,
  set: ["url", "host"]
    .map((column) => `${column} = case result.state when 'waiting' then event_call.${column} else result.${column} end`)
    .join(", "),
  formerAttempts,
  returning: "event_call.id, event_call.owner_id, event_call.state",
});

/** Records a batch of results, and switches webhooks off that have failed for too long, in one transaction. */
export async function recordEventResults(
  db: Database,
  results: readonly OwnedResult[],
  serviceName: string,
): Promise<void> {
  await db.tx(
    async (tx) => {
      const rows = await recordInRows(tx, results);
      await keepOtherAttempts(tx, eventCallJobs, results, new Set(rows.map(({ id }) => id)));
      const ended = results.filter(({ state, attempt }) => state === "given_up" && attempt !== null);
      if (ended.length === 0) return;
      const usernames = new Map(
        rows.map(({ id, ownerId }) => [ownerId, results.find(({ jobId }) => jobId === id)?.username ?? ""]),
      );
      const off = await switchOff(tx, ended);
      await publish(
        tx,
        off.flatMap((webhook) => noticeOf(webhook, usernames.get(webhook.ownerId) ?? "", serviceName)),
      );
    },
    { name: "record_event_results", attempts: 3 },
  );
}

interface SwitchedOff {
  ownerId: string;
  host: string;
  offReason: "gone" | "failing";
}

const endedCalls = recordSet({ jobId: "uuid", url: "text", isTargetGone: "boolean" });

/**
 * Those whose target is gone (410), or took nothing from when a call that is given up was new until its schedule's end. A call that was
 * under way while another URL was set says nothing of that one.
 */
async function switchOff(tx: Transaction, ended: readonly OwnedResult[]): Promise<SwitchedOff[]> {
  const { rows } = await tx.query<SwitchedOff>(
    `update account_webhook as webhook set off_at = now(), off_reason = case when is_gone then 'gone' else 'failing' end
       from (select owner_id, ended.url, bool_or(is_target_gone) as is_gone, min(received_at) as since
               from event_call join ${endedCalls.from("ended")} on id = job_id group by owner_id, ended.url) as failed
      where webhook.owner_id = failed.owner_id and webhook.url = failed.url and off_at is null
        and (is_gone or (set_at <= since and not exists (
          select from event_call as other where other.owner_id = webhook.owner_id and other.state = 'delivered' and other.settled_at > since)))
     returning webhook.owner_id, webhook.host, webhook.off_reason`,
    endedCalls.params(ended),
  );
  if (rows.length > 0)
    await cancelWaiting(
      tx,
      rows.map(({ ownerId }) => ownerId),
    );
  return rows;
}

/** None where the account has no address that mail can be sent to. The URL itself may hold a secret. */
function noticeOf({ ownerId, host, offReason }: SwitchedOff, username: string, serviceName: string): OutgoingEvent[] {
  if (!username.includes("@")) return [];
  const reason =
    offReason === "gone"
      ? "has answered that it is gone (410)"
      : "has taken no event for days, however often it was tried";
  const message = create(NoticeRequestedSchema, {
    noticeId: newId(),
    accountId: ownerId,
    recipient: username,
    subject: "Your webhook was switched off",
    text: `Your webhook at

    ${host}

${reason}, so ${serviceName} tells it nothing any more.

Once it works again, set it again where you manage your webhooks. What happened meanwhile can be read for a week by
GET /api/postern/v1/events.
`,
    requestedAt: timestampFromDate(new Date()),
    kind: "webhook-switched-off",
  });
  return [event(topics.noticeRequested, message)];
}
