import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { Channel, type DeliverySettled, Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { storableText } from "../../platform/storable-text.ts";
import { addOutcomeEvents } from "../account-events/add-events.ts";
import { failureReasonOf } from "./failure-reasons.ts";
import { insertOrLockEmails } from "./lock-emails.ts";
import { countOutcomes } from "./outcome-counts.ts";
import { addTimelineEntries, type NewTimelineEntry } from "./timeline.ts";
import { successes, type TimelineKind } from "./timeline-kinds.ts";

const detailLimit = 2_000;
const targetLimit = 4_000;

/** The timeline's kinds for a delivery's outcome and for a failed attempt that will be retried, by channel. */
const kinds = {
  [Channel.FORWARD]: {
    deferred: "deferred",
    [Outcome.DELIVERED]: "forwarded",
    [Outcome.GIVEN_UP]: "given_up",
    [Outcome.CANCELLED]: "cancelled",
    [Outcome.BOUNCED]: "bounced",
  },
  [Channel.ANSWER]: {
    deferred: "deferred",
    [Outcome.DELIVERED]: "sent",
    [Outcome.GIVEN_UP]: "given_up",
    [Outcome.CANCELLED]: "cancelled",
    [Outcome.BOUNCED]: "bounced",
  },
  [Channel.CALLBACK]: {
    deferred: "callback_deferred",
    [Outcome.DELIVERED]: "called_back",
    [Outcome.GIVEN_UP]: "callback_given_up",
    [Outcome.CANCELLED]: "callback_cancelled",
    // Callbacks do not bounce.
    [Outcome.BOUNCED]: "callback_given_up",
  },
} as const;

/** Outcomes of deliveries, as the timeline has them. */
export function outcomeEntries(events: readonly IncomingEvent<DeliverySettled>[]): NewTimelineEntry[] {
  return events.map(({ message }) => {
    if (message.outcome === Outcome.UNSPECIFIED)
      throw new Error(`delivery.settled of email ${message.emailId} is without an outcome`);
    return entryOf(message, kindsOf(message)[message.outcome], message.settledAt, true);
  });
}

/** Adds attempts that will be retried to the timeline. */
export const recordDeferred = consumer(topics.deliveryDeferred, async (tx, events) => {
  await addDeliveryEntries(
    tx,
    events.map(({ message }) => ({
      ...entryOf(message, message.isHeld ? "held" : kindsOf(message).deferred, message.deferredAt, false),
      nextAttemptAt: message.nextAttemptAt && timestampDate(message.nextAttemptAt),
    })),
  );
});

/** Adds complaints of recipients (RFC 5965) to the timeline. */
export const recordComplained = consumer(topics.deliveryComplained, async (tx, events) => {
  await addDeliveryEntries(
    tx,
    events.map(({ message }): NewTimelineEntry => {
      const { emailId, targetId, target, feedbackType, reporter, complainedAt } = message;
      const detail = reporter === "" ? feedbackType : `${feedbackType}, reported by ${reporter}`;
      return {
        emailId,
        targetId,
        kind: "complained",
        attemptCount: 0,
        isEnd: false,
        at: complainedAt ? timestampDate(complainedAt) : new Date(),
        target: storableText(target, targetLimit),
        detail: storableText(detail, detailLimit),
      };
    }),
  );
});

interface Delivery {
  readonly emailId: string;
  readonly channel: Channel;
  readonly targetId: string;
  readonly target: string;
  readonly response: string;
  /** What the response means, in kebab-case; empty where that is not said. */
  readonly reason: string;
  readonly attemptCount: number;
}

function kindsOf({ channel, emailId }: Delivery) {
  if (channel === Channel.UNSPECIFIED) throw new Error(`a delivery of email ${emailId} has no channel`);
  return kinds[channel];
}

function entryOf(delivery: Delivery, kind: TimelineKind, at: Timestamp | undefined, isEnd: boolean): NewTimelineEntry {
  return {
    emailId: delivery.emailId,
    kind,
    targetId: delivery.targetId,
    attemptCount: delivery.attemptCount,
    at: at ? timestampDate(at) : new Date(),
    target: storableText(delivery.target, targetLimit),
    detail: detailOf(delivery),
    isEnd,
    failureReason: successes.has(kind) ? undefined : failureReasonOf(delivery),
  };
}

/** The response, the reason in words before it: "unknown user: 550 5.1.1 …". */
function detailOf({ response, reason }: Delivery): string | null {
  const words = reason === "unknown" ? "" : reason.replaceAll("-", " ");
  const detail = words === "" || response === "" ? words || response : `${words}: ${response}`;
  return detail === "" ? null : storableText(detail, detailLimit);
}

/**
 * Adds entries to the timelines of emails; the last expected outcome makes an email processed. An entry may arrive before mail.accepted: then
 * the email's row is inserted without an envelope.
 */
export async function addDeliveryEntries(tx: Transaction, entries: readonly NewTimelineEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const ids = [...new Set(entries.map((entry) => entry.emailId))].sort();
  await Promise.all([
    insertOrLockEmails(tx, ids),
    addTimelineEntries(tx, entries),
    countOutcomes(tx, ids),
    addOutcomeEvents(tx, entries),
  ]);
}
