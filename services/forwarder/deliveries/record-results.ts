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
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { type AttemptResult, attemptResultWriter } from "../../platform/jobs/attempt-result-writer.ts";
import { countSendingOutcomes } from "../answers/sending-outcomes.ts";
import type { ReplyClass } from "../replies/classify-reply.ts";
import { type FailureEffects, type PermanentFailure, recordPermanentFailures } from "./permanent-failures.ts";

/** An attempt as it is kept and shown. */
export interface DeliveryAttempt {
  /** ISO 8601, UTC. */
  at: string;
  response: string;
  remote: string;
}

/** How an attempt at a delivery ended, or a claim that led to none. */
export interface DeliveryResult extends AttemptResult<"delivered" | "given_up", DeliveryAttempt> {
  /** Whether the author may be told of a failure; null when the message was not read. */
  isAnswerable: boolean | null;
  /** See OriginalFingerprints. */
  originalFingerprint: string | null;
  /** Whether the message was given to the transport: what ends before says nothing of who sends it. */
  wasHandedOver: boolean;
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
  /** Null unless it waits. */
  dueAt: Date | null;
  trace: Readonly<Record<string, string>>;
}

interface ForwardRow extends BaseRow {
  emailId: string;
  addressId: string;
  isAnswer: boolean;
  isRefused: boolean;
}

const resultColumns = { isAnswerable: "boolean", originalFingerprint: "text" } as const;

type RecordedRow = ForwardRow | (BaseRow & { emailId: null });

const recordInRows = attemptResultWriter<RecordedRow, typeof resultColumns>({
  table: "delivery",
  key: "id",
  columns: resultColumns,
  set: `is_answerable = coalesce(result.is_answerable, delivery.is_answerable),
      original_seal = coalesce(result.original_fingerprint, delivery.original_seal)`,
  returning: `delivery.id, email_id, address_id, is_answer, is_refused, address, delivery.state, jsonb_array_length(attempts) as attempt_count, trace,
    case when delivery.state = 'waiting' then due_at end as due_at`,
});

/** Records a batch of results, publishes their events, and brings about what follows from failures, in one transaction. */
export async function recordDeliveryResults(db: Database, results: readonly DeliveryResult[]): Promise<void> {
  await db.tx(
    async (tx) => {
      const rows = await recordInRows(tx, results);
      const forwards = rows.filter((row): row is ForwardRow => row.emailId !== null);
      const resultOf = new Map(results.map((result) => [result.jobId, result]));
      await deleteSettledNotices(tx, rows);
      await publish(
        tx,
        forwards.flatMap((row) => eventOf(row, resultOf.get(row.id))),
      );
      await countAnswers(tx, forwards, resultOf);
      await recordPermanentFailures(tx, permanentFailures(forwards, resultOf));
    },
    { name: "record_delivery_results" },
  );
}

async function countAnswers(
  tx: Transaction,
  rows: readonly ForwardRow[],
  resultOf: ReadonlyMap<string, DeliveryResult>,
): Promise<void> {
  const settled = rows.filter(
    ({ id, isAnswer, state }) => isAnswer && state !== "waiting" && resultOf.get(id)?.wasHandedOver,
  );
  const failed = settled.filter(({ state }) => state === "given_up");
  await countSendingOutcomes(tx, { settledIds: settled.map(({ id }) => id), failedIds: failed.map(({ id }) => id) });
}

/** Of what is given up by these very results: what was settled before has had its effects. */
function permanentFailures(
  rows: readonly ForwardRow[],
  resultOf: ReadonlyMap<string, DeliveryResult>,
): PermanentFailure[] {
  return rows.flatMap(({ id, state }) => {
    const effects = resultOf.get(id)?.effects;
    return state === "given_up" && effects ? [{ deliveryId: id, ...effects }] : [];
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
function eventOf(row: ForwardRow, result: DeliveryResult | undefined): OutgoingEvent[] {
  const { emailId, addressId: targetId, address: target, attemptCount, trace } = row;
  if (!result?.attempt) return [];
  const base = {
    emailId,
    channel: row.isAnswer ? Channel.ANSWER : Channel.FORWARD,
    targetId,
    target,
    response: result.attempt.response,
    reason: result.reply?.reason ?? "",
    attemptCount,
  };
  const at = timestampFromDate(new Date(result.attempt.at));
  if (row.dueAt) {
    const nextAttemptAt = timestampFromDate(row.dueAt);
    const deferred = create(DeliveryDeferredSchema, { ...base, deferredAt: at, nextAttemptAt });
    return [event(topics.deliveryDeferred, deferred, { trace })];
  }
  // What its owner refused is no failure.
  const failed = row.isRefused ? Outcome.CANCELLED : Outcome.GIVEN_UP;
  const outcome = row.state === "delivered" ? Outcome.DELIVERED : failed;
  const settled = create(DeliverySettledSchema, { ...base, outcome, settledAt: at });
  return [event(topics.deliverySettled, settled, { trace })];
}
