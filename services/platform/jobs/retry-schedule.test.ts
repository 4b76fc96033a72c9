import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { dayS } from "../durations.ts";
import { nextAttemptS, scheduleLengthS } from "./retry-schedule.ts";

const scheduleS = [5, 300, 1_800, 7_200];
const jitter = 0.2;

test("every wait lies within the jitter about the plan, whatever the other side asks for", () => {
  const asked = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: scheduleS.length }),
      asked,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failedAttempts, askedS, random) => {
        const waitS = nextAttemptS({ scheduleS, failedAttempts, jitter, askedS, random: () => random }) ?? 0;
        const plannedS = scheduleS[failedAttempts - 1] ?? 0;
        expect(waitS).toBeGreaterThanOrEqual(plannedS * 0.8);
        expect(waitS).toBeLessThanOrEqual(plannedS * 1.2);
      },
    ),
  );
});

test("the time that the other side asks for counts as far as it lies within the bounds", () => {
  const after = (askedS: number) => nextAttemptS({ scheduleS: [300], failedAttempts: 1, jitter, askedS });
  expect([after(0), after(250), after(330), after(dayS)]).toEqual([240, 250, 330, 360]);
});

test("after the last wait there is none", () => {
  expect(nextAttemptS({ scheduleS: [5, 300], failedAttempts: 3, jitter })).toBeUndefined();
  expect(nextAttemptS({ scheduleS: [], failedAttempts: 1, jitter, askedS: 5 })).toBeUndefined();
});

test("a schedule is as long as its waits together", () => {
  expect(scheduleLengthS(scheduleS)).toBe(9_305);
});
