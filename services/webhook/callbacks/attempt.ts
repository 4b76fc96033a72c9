import type { z } from "zod";
import type { WebhookIdentity } from "../../auth/contract.ts";
import { messageOf, Outage, Refusal } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { SpanKind, withSpan } from "../../platform/telemetry/spans.ts";
import { AttemptFailure } from "../egress/failure.ts";
import type { Answer } from "../egress/post.ts";
import type { BodyPieces } from "./body.ts";
import type { BodyReader, HeldBody } from "./body-reader.ts";
import type { Callback, CallbackResult } from "./callback.ts";
import { answered, type CallbackResultOptions, cancelled, held, postponed, unanswered } from "./callback-results.ts";
import { linkExpiry } from "./link-expiry.ts";
import { signatureHeaders } from "./signature.ts";

export type Identity = z.output<typeof WebhookIdentity>;

export interface AttemptOptions extends CallbackResultOptions {
  bodies: Pick<BodyReader, "read">;
  /** Hands a body to a URL: over the network, or to a recorder of our own. */
  send(url: string, headers: Readonly<Record<string, string>>, body: BodyPieces): Promise<Answer>;
  logger: Logger;
}

/** Makes one attempt at a callback and says how it ended; never throws. */
export async function attemptCallback(
  callback: Callback,
  identity: Identity | undefined,
  options: AttemptOptions,
): Promise<CallbackResult> {
  if (!identity) return cancelled(callback, options, "The account is closed.");
  if (callback.isOwnerDisabled) return held(callback, options);
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
    return unanswered(callback, options, new Date(), faultOf(error, callback, options.logger));
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
  const headers = {
    "content-type": "application/json",
    "user-agent": "postern-callback",
    ...signatureHeaders(callback.emailId, startedAt, body, secrets),
  };
  try {
    const answer = await withSpan("HTTP POST", { kind: SpanKind.CLIENT }, async (span) => {
      const given = await options.send(callback.url, headers, body);
      span.setAttribute("http.response.status_code", given.status);
      return given;
    });
    return answered(callback, options, startedAt, answer);
  } catch (error) {
    if (error instanceof Outage) return postponed(callback, options, error);
    const failure = error instanceof AttemptFailure ? error.message : faultOf(error, callback, options.logger);
    return unanswered(callback, options, startedAt, failure);
  }
}

/** An error of this service is logged, and counts as a failed attempt, so that the callback ends with its schedule. */
function faultOf(error: unknown, { emailId }: Callback, logger: Logger): string {
  logger.error({ err: error, emailId }, `callback attempt failed: internal error: ${messageOf(error)}`);
  return "A fault of this service.";
}
