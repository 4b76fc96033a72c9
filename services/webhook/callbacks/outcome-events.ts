import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  Channel,
  DeliveryDeferredSchema,
  DeliverySettledSchema,
  Outcome,
} from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { event, type OutgoingEvent } from "../../platform/events/outbox/outbox.ts";

/** A callback after an attempt or a change of state: what its event is made from. */
export interface OutcomeRow {
  emailId: string;
  bindingId: string;
  url: string;
  trace: Readonly<Record<string, string>>;
  state: "waiting" | "delivered" | "given_up" | "cancelled";
  attemptCount: number;
  dueAt: Date;
  response: string;
  /** False for a claim without an attempt; no event is published for it while the callback is waiting. */
  isAttempt: boolean;
}

/** The columns of OutcomeRow except `response` and `isAttempt`, which each statement sets itself. */
export const outcomeColumns = `callback.email_id, callback.binding_id, callback.url, callback.trace,
  callback.state, jsonb_array_length(callback.attempts) as attempt_count, callback.due_at`;

const outcomes = {
  delivered: Outcome.DELIVERED,
  given_up: Outcome.GIVEN_UP,
  cancelled: Outcome.CANCELLED,
} as const;

/** The event to publish for a row; none for a callback that is waiting and was not attempted. */
export function outcomeOf(row: OutcomeRow): OutgoingEvent[] {
  const { emailId, bindingId, url, trace, state, attemptCount, dueAt, response, isAttempt } = row;
  const said = { emailId, channel: Channel.CALLBACK, targetId: bindingId, target: url, response, attemptCount };
  const now = timestampFromDate(new Date());
  if (state !== "waiting") {
    const message = create(DeliverySettledSchema, { ...said, outcome: outcomes[state], settledAt: now });
    return [event(topics.deliverySettled, message, { trace })];
  }
  if (!isAttempt) return [];
  const message = create(DeliveryDeferredSchema, { ...said, deferredAt: now, nextAttemptAt: timestampFromDate(dueAt) });
  return [event(topics.deliveryDeferred, message, { trace })];
}
