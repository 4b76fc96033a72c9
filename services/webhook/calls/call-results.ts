import { STATUS_CODES } from "node:http";
import type { Outage } from "../../platform/errors.ts";
import { nextAttemptS, scheduleLengthS } from "../../platform/jobs/retry-schedule.ts";
import type { CallbackResponse } from "../egress/post.ts";
import type { AttemptStart } from "./attempt-start.ts";
import { type Call, type CallResult, retryJitter } from "./call.ts";
import type { Exchange } from "./exchange.ts";
import { parseRetryAfter } from "./retry-after.ts";

export interface CallResultOptions {
  workerId: string;
  /** Seconds after each failed attempt. */
  scheduleS: readonly number[];
}

/** Enabling an account makes its callbacks due; this bounds the wait of one that was claimed at the same moment. */
const maxRecheckS = 3_600;

/** The target responded (Standard Webhooks, "Delivery success and failure"): 2xx is success, 410 is for good, all else a failure. */
export function responded(
  call: Call,
  options: CallResultOptions,
  start: AttemptStart,
  response: CallbackResponse,
  exchange: Exchange,
): CallResult {
  const { status, retryAfter } = response;
  const attempt = { ...timing(start), status, failure: failureOfStatus(status), exchange };
  const said = { attempt, response: statusLine(status) };
  if (attempt.failure === null) return { ...unchanged(call, options), ...said, state: "delivered" };
  if (status === 410) return { ...unchanged(call, options), ...said, state: "given_up", isTargetGone: true };
  return { ...tryAgain(call, options, parseRetryAfter(retryAfter, new Date())), ...said };
}

/** The request was sent, and no response came. */
export function noResponse(
  call: Call,
  options: CallResultOptions,
  start: AttemptStart,
  failure: string,
  exchange?: Exchange,
): CallResult {
  const attempt = { ...timing(start), status: null, failure, ...(exchange ? { exchange } : {}) };
  return { ...tryAgain(call, options), attempt, response: failure };
}

/** Another service is unreachable: this does not count as an attempt. The delays vary, so that callbacks do not all resume at once. */
export function postponed(call: Call, options: CallResultOptions, outage: Outage): CallResult {
  return { ...unchanged(call, options), retryAfterS: (outage.retryAfterS ?? 5) * (0.5 + Math.random()) };
}

/** The account is disabled: this was no attempt. It is held for as long as the schedule takes, and looked at again at times. */
export function accountDisabled(call: Call, options: CallResultOptions, now = new Date()): CallResult {
  const remainingS = scheduleLengthS(options.scheduleS) - (now.getTime() - call.receivedAt.getTime()) / 1_000;
  if (remainingS > 0) return { ...unchanged(call, options), retryAfterS: Math.min(remainingS, maxRecheckS) };
  return {
    ...unchanged(call, options),
    state: "given_up",
    response: "The account has been disabled for too long.",
  };
}

/** The email is no longer stored, or the account is closed. */
export function cancelled(call: Call, options: CallResultOptions, reason: string): CallResult {
  return { ...unchanged(call, options), state: "cancelled", response: reason };
}

function tryAgain(call: Call, options: CallResultOptions, askedS?: number): CallResult {
  const { scheduleS } = options;
  const failedAttempts = call.attemptCount + 1;
  const waitS = nextAttemptS({ scheduleS, failedAttempts, jitter: retryJitter, askedS });
  const result = unchanged(call, options);
  return waitS === undefined ? { ...result, state: "given_up" } : { ...result, retryAfterS: waitS };
}

function unchanged({ id: jobId }: Call, { workerId }: CallResultOptions): CallResult {
  return { jobId, workerId, state: "waiting", attempt: null, response: "", retryAfterS: 0, isTargetGone: false };
}

function timing({ at, durationMs }: AttemptStart) {
  return { at: at.toISOString(), durationMs };
}

/** A status as a status line gives it, in the words of RFC 9110 and not of the target. */
function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
}

/** One sentence; null when there is nothing to complain of. */
function failureOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const sentence = `The target answered ${statusLine(status)}`;
  if (status === 410) return `${sentence}: no more callbacks go there.`;
  return status >= 300 && status < 400 ? `${sentence}: redirects are not followed.` : `${sentence}.`;
}
