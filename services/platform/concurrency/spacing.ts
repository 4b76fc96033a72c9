/** How far apart batches begin under load. What comes first after a pause does not wait. */
export interface Spacing {
  /** As many times as long as the former batch took: with 3, a third of the time goes into batches. */
  readonly times: number;
  readonly atMostMs: number;
}

/**
 * How far behind the beginning of a batch the next one begins under load, in milliseconds. What a batch costs hardly depends on its size,
 * so that fewer and larger ones cost less for each item.
 */
export function spacingAfter(tookMs: number, { times, atMostMs }: Spacing): number {
  return Math.min(atMostMs, times * tookMs);
}
