import type { ShownCountsFragment } from "../graph/gen/operations.ts";

export type Day = Pick<ShownCountsFragment["days"][number], "day" | "received" | "failed">;

const dayMs = 86_400_000;

/** The last days up to today (UTC), oldest first: the server names only those that had mail. */
export function lastDays(days: readonly Day[], count: number, now: Date): Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, received: 0, failed: 0 };
  });
}
