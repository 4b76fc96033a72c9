import { messageOf, Outage, Refusal } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { SpanKind, withSpan } from "../../platform/telemetry/spans.ts";
import type { Original } from "../message/original.ts";
import type { Parcels } from "../outbound/outbound-message-builder.ts";
import type { AuthorReports } from "../reports/author-reports.ts";
import { blamesAddress, expired, permanentStatus } from "../reports/enhanced-status.ts";
import type { OriginalSeals } from "../reports/original-seals.ts";
import type { Outcome, Parcel, Transport } from "../transports/transport.ts";
import type { Delivery } from "./delivery.ts";
import type { Consequences } from "./permanent-failures.ts";
import type { Ending } from "./record-attempts.ts";
import { retryAfterS } from "./retry-schedule.ts";

export interface AttemptOptions {
  parcels: Parcels;
  transport: Transport;
  reports: AuthorReports;
  seals: OriginalSeals;
  workerId: string;
  /** Seconds after each failed attempt. */
  scheduleS: readonly number[];
  logger: Logger;
}

const neverSent = { response: "the message is no longer kept, so it cannot be sent", remote: "" };
const ourFault = { response: "a fault of the forwarding service", remote: "" };

/** Makes one attempt at a delivery and says how it ended; never throws. */
export async function attemptDelivery(delivery: Delivery, options: AttemptOptions): Promise<Ending> {
  const { parcels, transport, workerId, logger } = options;
  try {
    const { original, ...parcel } = await parcels.pack(delivery);
    return await endingOf(delivery, await send(parcel, transport), original, options);
  } catch (error) {
    // What is ours and out of reach is no attempt: the recipient's server was never asked.
    if (error instanceof Outage) {
      const wait = {
        state: "waiting",
        attempt: null,
        retryAfterS: error.retryAfterS ?? 5,
        isAnswerable: null,
        originalSeal: null,
      } as const;
      return { deliveryId: delivery.id, workerId, ...wait };
    }
    if (error instanceof Refusal && error.kind === "NotFound")
      return endingOf(delivery, { kind: "failed", ...neverSent }, undefined, options);
    logger.error(
      { err: error, delivery: delivery.id, emailId: delivery.emailId },
      `a delivery could not be tried: ${messageOf(error)}`,
    );
    return endingOf(delivery, { kind: "deferred", ...ourFault }, undefined, options);
  }
}

/** Whose server it is says whose address: the trace tells only what it answered. */
function send(parcel: Parcel, transport: Transport): Promise<Outcome> {
  return withSpan("SMTP send", { kind: SpanKind.CLIENT }, async (span) => {
    const outcome = await transport.send(parcel);
    const [code] = /^\d{3}/.exec(outcome.response) ?? [];
    span.setAttributes({
      "postern.outcome": outcome.kind,
      ...(code ? { "postern.smtp.reply_code": Number(code) } : {}),
    });
    return outcome;
  });
}

async function endingOf(
  delivery: Delivery,
  outcome: Outcome,
  original: Original | undefined,
  { workerId, scheduleS, reports, seals }: AttemptOptions,
): Promise<Ending> {
  const { kind, response, remote } = outcome;
  const waitS = kind === "deferred" ? retryAfterS(scheduleS, delivery.attemptCount + 1) : undefined;
  const state = kind === "delivered" ? "delivered" : waitS === undefined ? "given_up" : "waiting";
  return {
    deliveryId: delivery.id,
    workerId,
    state,
    attempt: { at: new Date(), response, remote },
    retryAfterS: waitS ?? 0,
    isAnswerable: original?.isAnswerable ?? null,
    originalSeal: state === "given_up" ? null : seals.seal(original),
    consequences: state === "given_up" ? await consequencesOf(delivery, outcome, original, reports) : undefined,
  };
}

async function consequencesOf(
  delivery: Delivery,
  { kind, response }: Outcome,
  original: Original | undefined,
  reports: AuthorReports,
): Promise<Consequences | undefined> {
  if (delivery.noticeId !== null) return undefined;
  const isFinal = kind === "failed";
  const status = isFinal ? permanentStatus(response) : expired;
  const failure = { status, response, isAnswerable: original?.isAnswerable === true, original };
  return {
    report: await reports.draft(delivery, failure),
    blamesAddress: isFinal && original !== undefined && blamesAddress(response),
  };
}
