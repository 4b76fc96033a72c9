import type { z } from "zod";
import type { WebhookIdentity } from "../../auth/contract.ts";
import { Outage, Refusal } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { SpanKind, withSpan } from "../../platform/telemetry/spans.ts";
import { AttemptFailure } from "../egress/failure.ts";
import { AttemptStart } from "./attempt-start.ts";
import type { BodyPieces, Call, CallResult, HeldBody } from "./call.ts";
import {
  accountDisabled,
  type CallResultOptions,
  cancelled,
  noResponse,
  postponed,
  responded,
} from "./call-results.ts";
import { exchangeOf } from "./exchange.ts";
import { requestHeaders, type Send } from "./request.ts";

export type Identity = z.output<typeof WebhookIdentity>;

export interface AttemptOptions<C extends Call> extends CallResultOptions {
  /** The same bytes at every attempt. @throws Outage; Refusal NotFound where there is nothing left to send */
  bodyOf(call: C, identity: Identity): Promise<HeldBody>;
  send: Send;
  logger: Logger;
}

/** Makes one attempt at a call and says how it ended; never throws. */
export async function attemptCall<C extends Call>(
  call: C,
  identity: Identity | undefined,
  options: AttemptOptions<C>,
): Promise<CallResult> {
  if (!identity) return cancelled(call, options, "The account is closed.");
  if (call.url === "") return cancelled(call, options, "The callback URL was removed.");
  if (call.isOwnerDisabled) return accountDisabled(call, options);
  let body: HeldBody;
  try {
    body = await options.bodyOf(call, identity);
  } catch (error) {
    // An outage of our own services does not count as an attempt: no request was sent to the target.
    if (error instanceof Outage) return postponed(call, options, error);
    if (error instanceof Refusal && error.kind === "NotFound")
      return cancelled(call, options, "The email is no longer kept: there is nothing left to send.");
    return noResponse(call, options, new AttemptStart(), faultOf(error, call, options.logger));
  }
  try {
    return await sendBody(call, body.pieces, identity.secrets, options);
  } finally {
    body.release();
  }
}

/** Not where to: a URL may hold a secret. */
const posting = { kind: SpanKind.CLIENT, attributes: { "http.request.method": "POST" } };

async function sendBody<C extends Call>(
  call: C,
  body: BodyPieces,
  secrets: readonly string[],
  options: AttemptOptions<C>,
): Promise<CallResult> {
  const start = new AttemptStart();
  const sizeBytes = body.reduce((sum, { length }) => sum + length, 0);
  const headers = requestHeaders(call.id, start.at, body, secrets);
  try {
    const response = await withSpan("HTTP POST", posting, async (span) => {
      const given = await options.send(call.url, headers, body);
      span.setAttribute("http.response.status_code", given.status);
      return given;
    });
    return responded(call, options, start, response, exchangeOf(headers, sizeBytes, response));
  } catch (error) {
    if (error instanceof Outage) return postponed(call, options, error);
    const failure = error instanceof AttemptFailure ? error.message : faultOf(error, call, options.logger);
    return noResponse(call, options, start, failure, exchangeOf(headers, sizeBytes));
  }
}

/** An error of this service is logged, and counts as a failed attempt, so that the callback ends with its schedule. */
function faultOf(error: unknown, { id }: Call, logger: Logger): string {
  logger.error({ err: error, id }, "callback attempt failed with an internal error");
  return "A fault of this service.";
}
