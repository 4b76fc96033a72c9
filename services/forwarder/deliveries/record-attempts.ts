import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  Channel,
  DeliveryDeferredSchema,
  DeliverySettledSchema,
  Outcome,
} from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox.ts";
import type { ReplyClass } from "../replies/classify-reply.ts";
import { type FailureEffects, type PermanentFailure, recordPermanentFailures } from "./permanent-failures.ts";

const attemptResults = recordSet({
  deliveryId: "uuid",
  workerId: "uuid",
  state: "text",
  attempt: "jsonb",
  retryAfterS: "float8",
  reason: "text",
  isAnswerable: "boolean",
  originalFingerprint: "text",
});

/** What an attempt, or a claim that led to none, came to. */
export interface AttemptResult {
  deliveryId: string;
  workerId: string;
  /** `waiting`: to be tried again. */
  state: "waiting" | "delivered" | "given_up";
  /** Null when there was no attempt, because another service was unreachable. */
  attempt: { at: Date; response: string; remote: string } | null;
  /** Seconds until the next one, while waiting. */
  retryAfterS: number;
  /** Whether the author may be told of a failure; null when the message was not read. */
  isAnswerable: boolean | null;
  /** See OriginalFingerprints. */
  originalFingerprint: string | null;
  /** What the reply of a failed attempt means; null where there was none. */
  reply: ReplyClass | null;
  /** Of a delivery that is given up. */
  effects?: FailureEffects;
}

interface BaseRow {
  id: string;
  address: string;
  state: "waiting" | "delivered" | "given_up";
  attemptCount: number;
  dueAt: Date;
  trace: Readonly<Record<string, string>>;
  /** Of the attempt; null where there was none. */
  response: string | null;
  reason: string | null;
  at: Date | null;
}

interface ForwardRow extends BaseRow {
  emailId: string;
  addressId: string;
}

type RecordedRow = ForwardRow | (BaseRow & { emailId: null });

/**
 * Records a batch of results and publishes their events, in one transaction. A final result is recorded even if the lease
 * was lost; a deferral only by the holder of the lease, since another worker may be sending at this moment.
 */
export async function recordAttempts(db: Database, results: readonly AttemptResult[]): Promise<void> {
  await db.tx(
    async (tx) => {
      const { rows } = await tx.query<RecordedRow>(
        `with result as (
           select * from ${attemptResults.from("result")}
         )
         update delivery set
           state = result.state,
           attempts = case when result.attempt is null then attempts else attempts || result.attempt end,
           due_at = now() + result.retry_after_s * interval '1 second',
           is_answerable = coalesce(result.is_answerable, delivery.is_answerable),
           original_seal = coalesce(result.original_fingerprint, delivery.original_seal),
           worker_id = null,
           lease_until = null,
           settled_at = case when result.state = 'waiting' then null else now() end
         from result
         where delivery.id = result.delivery_id and delivery.state = 'waiting'
           and (result.state <> 'waiting' or delivery.worker_id = result.worker_id)
         returning delivery.id, email_id, address_id, address, delivery.state, jsonb_array_length(attempts) as attempt_count, due_at,
           trace, result.attempt ->> 'response' as response, result.reason, (result.attempt ->> 'at')::timestamptz as at`,
        attemptResults.params(results.map((result) => ({ ...result, reason: result.reply?.reason }))),
        { name: "record_attempts" },
      );
      const forwards = rows.filter((row): row is ForwardRow => row.emailId !== null);
      await deleteSettledNotices(tx, rows);
      await publish(tx, forwards.flatMap(eventOf));
      await recordPermanentFailures(tx, permanentFailures(forwards, results));
    },
    { name: "record_attempts" },
  );
}

/** Of what is given up by these very results: what was settled before has had its effects. */
function permanentFailures(rows: readonly ForwardRow[], results: readonly AttemptResult[]): PermanentFailure[] {
  const effectsById = new Map(results.map(({ deliveryId, effects }) => [deliveryId, effects]));
  return rows.flatMap(({ id, emailId, state }) => {
    const effects = effectsById.get(id);
    return state === "given_up" && effects ? [{ deliveryId: id, emailId, ...effects }] : [];
  });
}

/** What a notice says is kept only until it is sent or given up: it may hold a link that lets its reader in. */
async function deleteSettledNotices(tx: Transaction, rows: readonly RecordedRow[]): Promise<void> {
  const ids = rows.filter((row) => row.emailId === null && row.state !== "waiting").map((row) => row.id);
  if (ids.length === 0) return;
  await tx.query(
    "delete from notice using delivery where delivery.id = any ($1::uuid[]) and notice.id = delivery.notice_id",
    [ids],
  );
}

/** None where there was no attempt. */
function eventOf(row: ForwardRow): OutgoingEvent[] {
  const { emailId, addressId: targetId, address: target, attemptCount, trace } = row;
  if (row.response === null) return [];
  const { response, reason } = row;
  const base = { emailId, channel: Channel.FORWARD, targetId, target, response, reason: reason ?? "", attemptCount };
  const at = timestampFromDate(row.at ?? new Date());
  if (row.state === "waiting") {
    const nextAttemptAt = timestampFromDate(row.dueAt);
    const deferred = create(DeliveryDeferredSchema, { ...base, deferredAt: at, nextAttemptAt });
    return [event(topics.deliveryDeferred, deferred, { trace })];
  }
  const outcome = row.state === "delivered" ? Outcome.DELIVERED : Outcome.GIVEN_UP;
  const settled = create(DeliverySettledSchema, { ...base, outcome, settledAt: at });
  return [event(topics.deliverySettled, settled, { trace })];
}
