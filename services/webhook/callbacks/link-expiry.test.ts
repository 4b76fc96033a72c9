import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { hourMs } from "../../platform/durations.ts";
import { defaultRetriesS } from "../config.ts";
import { linkExpiry } from "./link-expiry.ts";

const receivedAt = new Date("2024-01-20T02:00:46.123Z");
const scheduleHours = defaultRetriesS.reduce((sum, waitS) => sum + waitS / 3_600, 0);

test("links expire at one moment throughout the schedule, even if it is delayed by hours", () => {
  const atOnce = linkExpiry(receivedAt, defaultRetriesS, receivedAt);
  const lastAttempt = new Date(receivedAt.getTime() + scheduleHours * 1.2 * hourMs);
  const delayed = new Date(lastAttempt.getTime() + 11 * hourMs);
  expect(linkExpiry(receivedAt, defaultRetriesS, lastAttempt)).toEqual(atOnce);
  expect(linkExpiry(receivedAt, defaultRetriesS, delayed)).toEqual(atOnce);
  expect(atOnce.getTime()).toBe(lastAttempt.getTime() + 24 * hourMs);
});

test("a link is good for half a day at least, whenever it is sent", () => {
  const schedule = fc.array(fc.nat(100_000), { maxLength: 9 });
  fc.assert(
    fc.property(schedule, fc.integer({ min: -1_000, max: 1_000_000_000 }), (scheduleS, laterMs) => {
      const now = new Date(receivedAt.getTime() + laterMs);
      const expiry = linkExpiry(receivedAt, scheduleS, now);
      expect(expiry.getTime() - now.getTime()).toBeGreaterThanOrEqual(12 * hourMs);
    }),
  );
});
