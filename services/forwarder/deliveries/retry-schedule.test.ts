import { expect, test } from "@jest/globals";
import { retryAfterS, standardRetriesS } from "./retry-schedule.ts";

test("waits as the schedule says, ten per cent about it", () => {
  expect(retryAfterS([60, 300], 1, () => 0.5)).toBe(60);
  expect(retryAfterS([60, 300], 2, () => 0)).toBeCloseTo(270);
  expect(retryAfterS([60, 300], 2, () => 1)).toBeCloseTo(330);
});

test("gives up after the last wait", () => {
  expect(retryAfterS([60, 300], 3)).toBeUndefined();
  expect(retryAfterS([], 1)).toBeUndefined();
});

test("gives up by itself between four and five days (RFC 5321 section 4.5.4.1)", () => {
  const days = standardRetriesS.reduce((sum, waitS) => sum + waitS, 0) / 86_400;
  expect(days).toBeGreaterThan(4);
  expect(days).toBeLessThanOrEqual(5);
});
