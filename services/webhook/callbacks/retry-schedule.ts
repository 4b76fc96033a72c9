const jitter = 0.2;

/** 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours: the schedule that Standard Webhooks gives as its example. */
export const standardRetriesS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

interface RetryQuestion {
  /** Seconds after each failed attempt. */
  scheduleS: readonly number[];
  /** The attempt that has just failed included. */
  failedAttempts: number;
  /** What the target asked for, in seconds. */
  retryAfterS?: number | undefined;
  random?: () => number;
}

/**
 * Seconds until the next attempt; undefined when the schedule is at its end. Each wait is spread by ±20 %, so that what
 * failed together does not come back together; a target that names its own time gets it as far as it lies within that.
 */
export function nextWaitS({
  scheduleS,
  failedAttempts,
  retryAfterS,
  random = Math.random,
}: RetryQuestion): number | undefined {
  const plannedS = scheduleS[failedAttempts - 1];
  if (plannedS === undefined) return undefined;
  const soonestS = plannedS * (1 - jitter);
  const latestS = plannedS * (1 + jitter);
  if (retryAfterS !== undefined) return Math.min(Math.max(retryAfterS, soonestS), latestS);
  return soonestS + (latestS - soonestS) * random();
}

/** The Retry-After field in seconds from now (RFC 9110 section 10.2.3: seconds, or a date); undefined if it is neither. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const given = value?.trim() ?? "";
  if (/^\d{1,10}$/.test(given)) return Number(given);
  // Every form of HTTP-date begins with the day's name; Date alone would read "2" or "a 1" as dates too.
  const at = /^[A-Z][a-z]{2,8},? /.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1_000);
}
