import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Channel, DeliverySettledSchema, Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Database } from "../../platform/db/types.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { classifyReply } from "../replies/classify-reply.ts";

interface DeliveriesOfEmail {
  emailId: string;
  settledTargetIds: string[];
}

/** Of those emails that forwarder knows: as deliveries, as an answer, or as a report that it has still to read. */
export async function deliveriesOf(db: Database, emailIds: readonly string[]): Promise<DeliveriesOfEmail[]> {
  const { rows } = await db.query<DeliveriesOfEmail>(
    `with known as (
       select email_id from delivery where email_id = any ($1::uuid[])
       union select email_id from answer where email_id = any ($1::uuid[])
       union select email_id from returned_mail where email_id = any ($1::uuid[])
       union select email_id from complaint_mail where email_id = any ($1::uuid[]))
     select email_id, array(
              select address_id from delivery
               where delivery.email_id = known.email_id and state <> 'waiting' and address_id is not null) as settled_target_ids
       from known`,
    [emailIds],
  );
  return rows;
}

interface SettledRow {
  emailId: string;
  addressId: string;
  isAnswer: boolean;
  isRefused: boolean;
  address: string;
  state: "delivered" | "bounced" | "given_up" | "cancelled";
  attemptCount: number;
  trace: Readonly<Record<string, string>>;
  response: string | null;
  settledAt: Date;
}

const outcomes = {
  delivered: Outcome.DELIVERED,
  bounced: Outcome.BOUNCED,
  given_up: Outcome.GIVEN_UP,
  cancelled: Outcome.CANCELLED,
} as const;

/** Publishes delivery.settled again for what is settled: the timeline takes an entry once. Gives their number. */
export async function publishOutcomesAgain(db: Database, emailIds: readonly string[]): Promise<number> {
  return db.tx(async (tx) => {
    const { rows } = await tx.query<SettledRow>(
      `select email_id, address_id, is_answer, is_refused, address, state, jsonb_array_length(attempts) as attempt_count, trace,
              attempts -> -1 ->> 'response' as response, coalesce(settled_at, now()) as settled_at
         from delivery where email_id = any ($1::uuid[]) and state <> 'waiting' and address_id is not null`,
      [emailIds],
    );
    await publish(tx, rows.map(settledEvent));
    return rows.length;
  });
}

function settledEvent(row: SettledRow): OutgoingEvent {
  const { emailId, addressId: targetId, address: target, attemptCount, state, trace } = row;
  const response = row.response ?? "";
  const message = create(DeliverySettledSchema, {
    emailId,
    targetId,
    target,
    response,
    attemptCount,
    channel: row.isAnswer ? Channel.ANSWER : Channel.FORWARD,
    reason: state === "delivered" || response === "" ? "" : classifyReply(response).reason,
    outcome: row.isRefused ? Outcome.CANCELLED : outcomes[state],
    settledAt: timestampFromDate(row.settledAt),
  });
  return event(topics.deliverySettled, message, { trace });
}
