import type { z } from "zod";
import type { WebhookIdentity } from "../../auth/contract.ts";
import { messageOf, Outage, Refusal } from "../../platform/errors.ts";
import { scheduleLengthS } from "../../platform/jobs/retry-schedule.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { SpanKind, withSpan } from "../../platform/telemetry/spans.ts";
import { AttemptFailure } from "../egress/failure.ts";
import type { CallbackResponse } from "../egress/post.ts";
import type { BodyPieces } from "./body.ts";
import type { BodyReader, HeldBody } from "./body-reader.ts";
import { type Callback, type CallbackResult, retryJitter } from "./callback.ts";
import {
  accountDisabled,
  type CallbackResultOptions,
  cancelled,
  noResponse,
  postponed,
  responded,
} from "./callback-results.ts";
import { exchangeOf } from "./exchange.ts";
import { signatureHeaders } from "./signature.ts";

const dayMs = 86_400_000;
/** The minimum validity of a link when it is sent; the rest of the day allows for outages and slow targets. */
const leastMs = dayMs / 2;

export type Identity = z.output<typeof WebhookIdentity>;

export interface AttemptOptions extends CallbackResultOptions {
  bodies: Pick<BodyReader, "read">;
  /** Hands a body to a URL: over the network, or to a recorder of our own. */
  send(url: string, headers: Readonly<Record<string, string>>, body: BodyPieces): Promise<CallbackResponse>;
  logger: Logger;
}

/** Makes one attempt at a callback and says how it ended; never throws. */
export async function attemptCallback(
  callback: Callback,
  identity: Identity | undefined,
  options: AttemptOptions,
): Promise<CallbackResult> {
  if (!identity) return cancelled(callback, options, "The account is closed.");
  if (callback.isOwnerDisabled) return accountDisabled(callback, options);
  let body: HeldBody;
  try {
    const { emailId, ownerId, receivedAt } = callback;
    const linksExpireAt = linkExpiry(receivedAt, options.scheduleS, new Date()).toISOString();
    body = await options.bodies.read({ emailId, ownerId, linksExpireAt }, identity);
  } catch (error) {
    // An outage of our own services does not count as an attempt: no request was sent to the target.
    if (error instanceof Outage) return postponed(callback, options, error);
    if (error instanceof Refusal && error.kind === "NotFound")
      return cancelled(callback, options, "The email is no longer kept: there is nothing left to send.");
    return noResponse(callback, options, new Date(), faultOf(error, callback, options.logger));
  }
  try {
    return await sendBody(callback, body.pieces, identity.secrets, options);
  } finally {
    body.release();
  }
}

async function sendBody(
  callback: Callback,
  body: BodyPieces,
  secrets: readonly string[],
  options: AttemptOptions,
): Promise<CallbackResult> {
  const startedAt = new Date();
  const sizeBytes = body.reduce((sum, { length }) => sum + length, 0);
  const headers = {
    "content-type": "application/json",
    "user-agent": "postern-callback",
    ...signatureHeaders(callback.emailId, startedAt, body, secrets),
  };
  try {
    const response = await withSpan("HTTP POST", { kind: SpanKind.CLIENT }, async (span) => {
      const given = await options.send(callback.url, headers, body);
      span.setAttribute("http.response.status_code", given.status);
      return given;
    });
    return responded(callback, options, startedAt, response, exchangeOf(headers, sizeBytes, response));
  } catch (error) {
    if (error instanceof Outage) return postponed(callback, options, error);
    const failure = error instanceof AttemptFailure ? error.message : faultOf(error, callback, options.logger);
    return noResponse(callback, options, startedAt, failure, exchangeOf(headers, sizeBytes));
  }
}

/** An error of this service is logged, and counts as a failed attempt, so that the callback ends with its schedule. */
function faultOf(error: unknown, { emailId }: Callback, logger: Logger): string {
  logger.error({ err: error, emailId }, `callback attempt failed: internal error: ${messageOf(error)}`);
  return "A fault of this service.";
}

/**
 * When the attachment links of a callback expire: a day after the last attempt that its schedule can come to. It is the
 * same moment for every attempt, since a retry has to have the bytes of the first. Tried again by hand when that is over, a
 * callback gets new links, and they are the same for as long again.
 */
export function linkExpiry(receivedAt: Date, scheduleS: readonly number[], now: Date): Date {
  const scheduleMs = scheduleLengthS(scheduleS) * 1_000 * (1 + retryJitter);
  const periodMs = Math.ceil(scheduleMs + dayMs);
  const periods = Math.ceil((now.getTime() + leastMs - receivedAt.getTime()) / periodMs);
  return new Date(receivedAt.getTime() + Math.max(1, periods) * periodMs);
}
