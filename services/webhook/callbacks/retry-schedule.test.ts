import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { nextWaitS, parseRetryAfter, standardRetriesS } from "./retry-schedule.ts";

const now = new Date("2024-01-20T02:00:46.500Z");

test("every wait lies within ±20 % of the plan, whatever the target asks for", () => {
  const asked = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      asked,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failedAttempts, retryAfterS, random) => {
        const waitS =
          nextWaitS({ scheduleS: standardRetriesS, failedAttempts, retryAfterS, random: () => random }) ?? 0;
        const plannedS = standardRetriesS[failedAttempts - 1] ?? 0;
        expect(waitS).toBeGreaterThanOrEqual(plannedS * 0.8);
        expect(waitS).toBeLessThanOrEqual(plannedS * 1.2);
      },
    ),
  );
});

test("a target's own time holds as far as it lies within the bounds", () => {
  const after = (retryAfterS: number) => nextWaitS({ scheduleS: [300], failedAttempts: 1, retryAfterS });
  expect([after(0), after(250), after(330), after(86_400)]).toEqual([240, 250, 330, 360]);
});

test("after the last wait there is none", () => {
  expect(nextWaitS({ scheduleS: [5, 300], failedAttempts: 3 })).toBeUndefined();
  expect(nextWaitS({ scheduleS: [], failedAttempts: 1, retryAfterS: 5 })).toBeUndefined();
});

test.each([
  ["120", 120],
  [" 0 ", 0],
  ["Sat, 20 Jan 2024 02:01:46 GMT", 59.5],
  ["Saturday, 20-Jan-24 02:01:46 GMT", 59.5],
  ["Sat, 20 Jan 2024 01:00:00 GMT", 0],
  ["-1", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %s is %s seconds", (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});
