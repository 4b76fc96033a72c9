import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  Channel,
  DeliveryDeferredSchema,
  DeliverySettledSchema,
  Outcome,
} from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { MailReleasedSchema } from "../../../proto/gen/postern/mailbox/v1/mail_released_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import type { DueRow } from "../../platform/jobs/claim-due.ts";
import { countSendingOutcomes } from "../answers/sending-outcomes.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import { type FailureEffects, recordPermanentFailures } from "../deliveries/permanent-failures.ts";
import type { ReplyClass } from "../replies/classify-reply.ts";
import type { Bounce } from "./read-bounce.ts";

export interface ReturnedMail extends DueRow {
  emailId: string;
  rawId: string;
  /** The reverse path. */
  recipient: string;
  envelopeSender: string;
  receivedAt: Date;
}

/** A bounce and the delivery that it is of. */
interface MatchedBounce extends FailureEffects {
  delivery: Delivery;
  bounce: Bounce;
  reply: ReplyClass;
}

/** Kept and published for each delivery; further ones are only counted, so that a server cannot fill a row or a timeline with them. */
const maxDelayedReports = 3;

interface BouncedRow {
  emailId: string | null;
  addressId: string | null;
  isAnswer: boolean;
  address: string;
  attemptCount: number;
  /** Not one of too many reports of a delay. */
  isShown: boolean;
}

/** Records what a bounce says, once however often it is processed, and releases the bytes of the mail that it came in; in one transaction. */
export async function recordBounce(
  db: Database,
  mail: ReturnedMail,
  matched: MatchedBounce | undefined,
): Promise<void> {
  await db.tx(async (tx) => {
    const { rowCount } = await tx.query("delete from returned_mail where email_id = $1", [mail.emailId]);
    if (rowCount === 0) return;
    const { emailId, rawId } = mail;
    await publish(tx, event(topics.mailReleased, create(MailReleasedSchema, { emailId, rawId })));
    if (matched) await recordOutcome(tx, mail.receivedAt, matched);
  });
}

async function recordOutcome(tx: Transaction, at: Date, { delivery, bounce, reply, ...effects }: MatchedBounce) {
  const isFailed = bounce.kind === "failed";
  const attempt = { at, response: bounce.response, remote: "" };
  // A waiting delivery that bounces was accepted over a connection that was lost before the reply came: it is not sent again.
  const { rows } = await tx.query<BouncedRow>(
    `update delivery set
       state = case when $2 then 'bounced' else state end,
       settled_at = case when $2 then now() else settled_at end,
       delayed_reports = delayed_reports + case when $2 then 0 else 1 end,
       attempts = case when $2 or delayed_reports < $4 then attempts || $3::jsonb else attempts end
     where id = $1 and (state = 'delivered' or ($2 and state = 'waiting'))
     returning email_id, address_id, is_answer, address, jsonb_array_length(attempts) as attempt_count,
       ($2 or delayed_reports <= $4) as is_shown`,
    [delivery.id, isFailed, JSON.stringify([attempt]), maxDelayedReports],
  );
  const [row] = rows;
  if (!row?.emailId || !row.isShown) return;
  await publish(tx, eventOf(row.emailId, row, { bounce, reply }, at));
  if (isFailed && row.isAnswer) await countSendingOutcomes(tx, { settledIds: [], failedIds: [delivery.id] });
  if (isFailed) await recordPermanentFailures(tx, [{ deliveryId: delivery.id, ...effects }]);
}

function eventOf(
  emailId: string,
  row: BouncedRow,
  { bounce, reply }: Pick<MatchedBounce, "bounce" | "reply">,
  at: Date,
): OutgoingEvent {
  const { kind, response } = bounce;
  const base = {
    emailId,
    channel: row.isAnswer ? Channel.ANSWER : Channel.FORWARD,
    targetId: row.addressId ?? "",
    target: row.address,
    response,
    reason: reply.reason,
    attemptCount: row.attemptCount,
  };
  const when = timestampFromDate(at);
  return kind === "failed"
    ? event(
        topics.deliverySettled,
        create(DeliverySettledSchema, { ...base, outcome: Outcome.BOUNCED, settledAt: when }),
      )
    : event(topics.deliveryDeferred, create(DeliveryDeferredSchema, { ...base, deferredAt: when }));
}
