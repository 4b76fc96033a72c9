import { Outage, Refusal } from "../../platform/errors.ts";
import { nextAttemptS } from "../../platform/jobs/retry-schedule.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { SpanKind, withSpan } from "../../platform/telemetry/spans.ts";
import { MissingDkimRecords } from "../outbound/missing-dkim-records.ts";
import type { OutboundMessageBuilder } from "../outbound/outbound-message-builder.ts";
import { classifyReply, countsAgainstAddress, type ReplyClass } from "../replies/classify-reply.ts";
import type { AuthorReports } from "../reports/author-reports.ts";
import { describeFailure } from "../reports/failure-description.ts";
import { isAnswerable } from "../reports/may-report.ts";
import type { Original } from "../reports/original.ts";
import type { OriginalFingerprints } from "../reports/original-fingerprints.ts";
import type { OutboundMessage, SendResult, Transport } from "../transports/transport.ts";
import type { Delivery } from "./delivery.ts";
import { holdOf } from "./holding.ts";
import type { FailureEffects } from "./permanent-failures.ts";
import type { PostponementLog } from "./postponement-log.ts";
import type { DeliveryResult } from "./record-results.ts";

export interface AttemptOptions {
  messageBuilder: OutboundMessageBuilder;
  transport: Transport;
  reports: AuthorReports;
  fingerprints: OriginalFingerprints;
  workerId: string;
  /** Seconds after each failed attempt. */
  scheduleS: readonly number[];
  logger: Logger;
  postponements: PostponementLog;
}

const jitter = 0.1;
const messageGone = { response: "the message is no longer kept, so it cannot be sent", remote: "" };
const internalError = { response: "an internal error of the forwarding service", remote: "" };

/** Makes one attempt at a delivery, unless it is held; never throws. */
export async function attemptDelivery(delivery: Delivery, options: AttemptOptions): Promise<DeliveryResult> {
  const { messageBuilder, transport } = options;
  const hold = holdOf(delivery, options.scheduleS);
  if (hold?.kind === "wait") return noAttempt(delivery, hold.retryAfterS, options);
  try {
    if (hold) {
      const original = delivery.kind === "forward" ? await messageBuilder.describe(delivery) : undefined;
      return await resultOf(delivery, { kind: "failed", response: hold.response, remote: "" }, original, options);
    }
    const { original, ...message } = await messageBuilder.build(delivery);
    const result = await resultOf(delivery, await send(message, transport), original, options);
    return { ...result, wasHandedOver: true };
  } catch (error) {
    return afterError(delivery, error, options);
  }
}

async function afterError(delivery: Delivery, error: unknown, options: AttemptOptions): Promise<DeliveryResult> {
  const named = {
    err: error,
    deliveryId: delivery.id,
    emailId: delivery.kind === "notice" ? undefined : delivery.emailId,
  };
  if (error instanceof Outage) {
    // One of our own is no attempt: the recipient's server was never asked. The timeline does not have it, so the log does.
    options.postponements.add(named, error);
    return noAttempt(delivery, error.retryAfterS ?? 5, options);
  }
  if (error instanceof MissingDkimRecords)
    return withoutDkimRecords(delivery, error, options).catch((cause) => afterError(delivery, cause, options));
  if (error instanceof Refusal && error.kind === "NotFound")
    return resultOf(delivery, { kind: "failed", ...messageGone }, undefined, options);
  options.logger.error(named, "delivery attempt failed with an internal error");
  return resultOf(delivery, { kind: "deferred", ...internalError }, undefined, options);
}

/**
 * An attempt like one that a server deferred: its owner sees why on the timeline, and its author is told where the records do not come
 * within the schedule. @throws Outage, or Refusal NotFound when the message was deleted
 */
async function withoutDkimRecords(
  delivery: Delivery,
  { response }: MissingDkimRecords,
  options: AttemptOptions,
): Promise<DeliveryResult> {
  const original = delivery.kind === "forward" ? await options.messageBuilder.describe(delivery) : undefined;
  return resultOf(delivery, { kind: "deferred", response, remote: "" }, original, options);
}

/** The delivery waits, and its schedule does not advance. */
function noAttempt({ id: jobId }: Delivery, retryAfterS: number, { workerId }: AttemptOptions): DeliveryResult {
  const nothing = { attempt: null, isAnswerable: null, originalFingerprint: null, wasHandedOver: false, reply: null };
  return { jobId, workerId, state: "waiting", retryAfterS, ...nothing };
}

/** The span has the reply code alone: the server's name would tell where the message goes. */
function send(message: OutboundMessage, transport: Transport): Promise<SendResult> {
  return withSpan("SMTP send", { kind: SpanKind.CLIENT }, async (span) => {
    const sent = await transport.send(message);
    const [code] = /^\d{3}/.exec(sent.response) ?? [];
    span.setAttributes({
      "postern.outcome": sent.kind,
      ...(code ? { "postern.smtp.reply_code": Number(code) } : {}),
    });
    return sent;
  });
}

async function resultOf(
  delivery: Delivery,
  sent: SendResult,
  original: Original | undefined,
  { workerId, scheduleS, reports, fingerprints }: AttemptOptions,
): Promise<DeliveryResult> {
  const { kind, response, remote } = sent;
  const failedAttempts = delivery.attemptCount + 1;
  const waitS = kind === "deferred" ? nextAttemptS({ scheduleS, failedAttempts, jitter }) : undefined;
  const state = kind === "delivered" ? "delivered" : waitS === undefined ? "given_up" : "waiting";
  const reply = kind === "delivered" ? null : classifyReply(response);
  return {
    jobId: delivery.id,
    workerId,
    state,
    attempt: { at: new Date().toISOString(), response, remote },
    retryAfterS: waitS ?? 0,
    isAnswerable: original && delivery.kind === "forward" ? isAnswerable(delivery, original) : null,
    originalFingerprint: state === "given_up" ? null : fingerprints.of(original),
    wasHandedOver: false,
    reply,
    effects: state === "given_up" && reply ? await failureEffects(delivery, sent, reply, original, reports) : undefined,
  };
}

async function failureEffects(
  delivery: Delivery,
  { kind, response }: SendResult,
  reply: ReplyClass,
  original: Original | undefined,
  reports: AuthorReports,
): Promise<FailureEffects | undefined> {
  if (delivery.kind === "notice") return undefined;
  const isFinal = kind === "failed";
  const description = describeFailure(response, reply, !isFinal);
  if (delivery.kind === "answer")
    return { report: reports.draftForAnswer(delivery, description), countsAgainstAddress: false };
  const failure = {
    ...description,
    isAnswerable: original !== undefined && isAnswerable(delivery, original),
    original,
  };
  return {
    report: await reports.draft(delivery, failure),
    countsAgainstAddress: isFinal && countsAgainstAddress(reply),
  };
}
