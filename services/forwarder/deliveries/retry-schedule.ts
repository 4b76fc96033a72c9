const jitter = 0.1;

/** 1, 5, 15, 30 minutes, 1, 2, 4, 8 hours, then every 8 hours, five days in all (RFC 5321 section 4.5.4.1 wants 4 to 5). */
export const standardRetriesS = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, ...Array<number>(14).fill(28_800)];

/**
 * Seconds until the next attempt, spread by ±10 % so that what failed together does not come back together;
 * undefined when the schedule is at its end.
 */
export function retryAfterS(
  scheduleS: readonly number[],
  failedAttempts: number,
  random: () => number = Math.random,
): number | undefined {
  const waitS = scheduleS[failedAttempts - 1];
  return waitS === undefined ? undefined : waitS * (1 + jitter * (2 * random() - 1));
}
