import { dayMs } from "../../platform/durations.ts";
import { scheduleLengthS } from "../../platform/jobs/retry-schedule.ts";
import { retryJitter } from "../calls/call.ts";

/** The minimum validity of a link when it is sent; the rest of the day allows for outages and slow targets. */
const minValidityMs = dayMs / 2;

/**
 * When the attachment links of a callback expire: a day after the last attempt that its schedule can come to. It is the
 * same moment for every attempt, since a retry has to have the bytes of the first. Tried again by hand when that is over, a
 * callback gets new links, and they are the same for as long again.
 */
export function linkExpiry(receivedAt: Date, scheduleS: readonly number[], now: Date): Date {
  const scheduleMs = scheduleLengthS(scheduleS) * 1_000 * (1 + retryJitter);
  const periodMs = Math.ceil(scheduleMs + dayMs);
  const periods = Math.ceil((now.getTime() + minValidityMs - receivedAt.getTime()) / periodMs);
  return new Date(receivedAt.getTime() + Math.max(1, periods) * periodMs);
}
