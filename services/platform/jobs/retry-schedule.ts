interface RetryQuestion {
  /** Seconds after each failed attempt. */
  scheduleS: readonly number[];
  /** The attempt that has just failed included. */
  failedAttempts: number;
  /** By how much of itself a wait may be longer or shorter, so that what failed together does not come back together. */
  jitter: number;
  /** What the other side asked for, in seconds: it counts as far as it lies within the jitter. */
  askedS?: number | undefined;
  random?: () => number;
}

/** Seconds until the next attempt; undefined when the schedule is at its end. */
export function nextAttemptS({
  scheduleS,
  failedAttempts,
  jitter,
  askedS,
  random = Math.random,
}: RetryQuestion): number | undefined {
  const plannedS = scheduleS[failedAttempts - 1];
  if (plannedS === undefined) return undefined;
  const soonestS = plannedS * (1 - jitter);
  const latestS = plannedS * (1 + jitter);
  if (askedS !== undefined) return Math.min(Math.max(askedS, soonestS), latestS);
  return soonestS + (latestS - soonestS) * random();
}

/** How long a job is tried in all. */
export function scheduleLengthS(scheduleS: readonly number[]): number {
  return scheduleS.reduce((sum, waitS) => sum + waitS, 0);
}
