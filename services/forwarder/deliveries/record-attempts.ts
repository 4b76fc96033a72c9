import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  Channel,
  DeliveryDeferredSchema,
  DeliverySettledSchema,
  Outcome,
} from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox.ts";
import { type Consequences, type FailedDelivery, recordFailures } from "./permanent-failures.ts";

/** How an attempt, or a claim that led to none, ended. */
export interface Ending {
  deliveryId: string;
  workerId: string;
  /** `waiting`: to be tried again. */
  state: "waiting" | "delivered" | "given_up";
  /** Null when there was no attempt, because something of our own was out of reach. */
  attempt: { at: Date; response: string; remote: string } | null;
  /** Seconds until the next one, while waiting. */
  retryAfterS: number;
  /** Whether the author may be told of a failure; null when the message was not read. */
  isAnswerable: boolean | null;
  /** See OriginalSeals. */
  originalSeal: string | null;
  /** What follows from a delivery that is given up. */
  consequences?: Consequences;
}

interface EndedRow {
  id: string;
  email_id: string | null;
  address_id: string | null;
  address: string;
  state: "waiting" | "delivered" | "given_up";
  attempt_count: number;
  due_at: Date;
  response: string | null;
  at: Date | null;
  trace: Readonly<Record<string, string>>;
}

/**
 * Records a batch of endings and says what came of them, in one transaction. What is final is recorded whoever holds the
 * lease by now; a deferral only by its holder, since another may be sending at this moment.
 */
export async function recordEndings(db: Database, endings: readonly Ending[]): Promise<void> {
  await db.tx(
    async (tx) => {
      const { rows } = await tx.query<EndedRow>(
        `with ended as (
           select * from json_to_recordset($1::json) as row(id uuid, worker_id uuid, state text, attempt json, retry_after_s float8,
             is_answerable boolean, original_seal text)
         )
         update delivery set
           state = ended.state,
           attempts = case when ended.attempt is null then attempts else attempts || ended.attempt::jsonb end,
           due_at = now() + ended.retry_after_s * interval '1 second',
           is_answerable = coalesce(ended.is_answerable, delivery.is_answerable),
           original_seal = coalesce(ended.original_seal, delivery.original_seal),
           worker_id = null,
           lease_until = null,
           settled_at = case when ended.state = 'waiting' then null else now() end
         from ended
         where delivery.id = ended.id and delivery.state = 'waiting'
           and (ended.state <> 'waiting' or delivery.worker_id = ended.worker_id)
         returning delivery.id, email_id, address_id, address, delivery.state, jsonb_array_length(attempts) as attempt_count, due_at,
           trace, ended.attempt ->> 'response' as response, (ended.attempt ->> 'at')::timestamptz as at`,
        [JSON.stringify(endings.map(endingRow))],
        { name: "record_endings" },
      );
      await forgetNotices(tx, rows);
      await publish(tx, rows.flatMap(eventOf));
      await recordFailures(tx, failedOf(rows, endings));
    },
    { name: "record_endings" },
  );
}

function endingRow(ending: Ending) {
  return {
    id: ending.deliveryId,
    worker_id: ending.workerId,
    state: ending.state,
    attempt: ending.attempt,
    retry_after_s: ending.retryAfterS,
    is_answerable: ending.isAnswerable,
    original_seal: ending.originalSeal,
  };
}

/** Of what is given up by these very endings: what was settled before has had its consequences. */
function failedOf(rows: readonly EndedRow[], endings: readonly Ending[]): FailedDelivery[] {
  const consequences = new Map(endings.map((ending) => [ending.deliveryId, ending.consequences]));
  return rows.flatMap(({ id, email_id: emailId, state }) => {
    const following = consequences.get(id);
    return state === "given_up" && emailId !== null && following ? [{ deliveryId: id, emailId, ...following }] : [];
  });
}

/** A notice that was sent, or never will be, is nobody's to read any more. */
async function forgetNotices(tx: Transaction, rows: readonly EndedRow[]): Promise<void> {
  const ids = rows.filter((row) => row.email_id === null && row.state !== "waiting").map((row) => row.id);
  if (ids.length === 0) return;
  await tx.query(
    "delete from notice using delivery where delivery.id = any ($1::uuid[]) and notice.id = delivery.notice_id",
    [ids],
  );
}

/** A release without an attempt, and a notice, are nobody's business. */
function eventOf({
  email_id,
  address_id,
  address,
  state,
  response,
  attempt_count,
  at,
  due_at,
  trace,
}: EndedRow): OutgoingEvent[] {
  if (email_id === null || response === null) return [];
  const base = {
    emailId: email_id,
    channel: Channel.FORWARD,
    targetId: address_id ?? "",
    target: address,
    response,
    attemptCount: attempt_count,
  };
  const when = timestampFromDate(at ?? new Date());
  if (state === "waiting") {
    return [
      event(
        topics.deliveryDeferred,
        create(DeliveryDeferredSchema, { ...base, deferredAt: when, nextAttemptAt: timestampFromDate(due_at) }),
        { trace },
      ),
    ];
  }
  const outcome = state === "delivered" ? Outcome.DELIVERED : Outcome.GIVEN_UP;
  return [
    event(topics.deliverySettled, create(DeliverySettledSchema, { ...base, outcome, settledAt: when }), { trace }),
  ];
}
