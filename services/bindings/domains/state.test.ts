import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { afterCheck, type Condition, isProved, type Proof } from "./state.ts";

const start: Condition = { state: "unverified", failures: 0, failingSince: null, brokenAt: null, noticesSent: 0 };
const verified: Condition = { ...start, state: "verified" };
const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000);

/** Checks at certain hours, and what came of each. */
function walk(from: Condition, ...checks: readonly (readonly [number, Proof])[]) {
  let condition = from;
  return checks.map(([hours, proof]) => {
    const step = afterCheck(condition, proof, at(hours));
    condition = step.condition;
    return `${condition.state}${step.notice ? ` ${step.notice}` : ""}`;
  });
}

test("is verified once it is proved, and not before", () => {
  expect(walk(start, [0, "absent"], [1, "unknown"], [2, "proved"])).toEqual(["unverified", "unverified", "verified"]);
  expect(walk({ ...start, state: "removed" }, [0, "absent"], [1, "proved"])).toEqual(["removed", "verified"]);
});

test("is broken after three failures spread over a day, with notices at once, after 72 hours and after 7 days", () => {
  const failures = [0, 6, 12, 23, 24, 30, 95, 96, 100, 191, 192, 400].map((hours) => [hours, "absent"] as const);
  expect(walk(verified, ...failures)).toEqual([
    ...["verified", "verified", "verified", "verified", "broken broken", "broken"],
    ...["broken", "broken broken", "broken", "broken", "broken broken", "broken"],
  ]);
});

test("two failures a week apart break nothing, nor do any number within a day", () => {
  expect(walk(verified, [0, "absent"], [168, "absent"])).toEqual(["verified", "verified"]);
  const hasty = Array.from({ length: 200 }, (_, minute) => [minute / 60, "absent"] as const);
  expect(new Set(walk(verified, ...hasty))).toEqual(new Set(["verified"]));
});

test("one right answer begins it all again", () => {
  expect(walk(verified, [0, "absent"], [12, "absent"], [13, "proved"], [25, "absent"], [37, "absent"])).toEqual(
    Array(5).fill("verified"),
  );
  expect(walk(verified, [0, "absent"], [12, "absent"], [24, "absent"], [25, "proved"])[3]).toBe("verified restored");
});

const checks = fc.array(
  fc.tuple(fc.double({ min: 0, max: 12, noNaN: true }), fc.constantFrom<Proof>("proved", "absent", "unknown")),
  { maxLength: 60 },
);

test("answers that are not certain change nothing, wherever they come", () => {
  fc.assert(
    fc.property(checks, (gaps) => {
      let hours = 0;
      let withUnknown = start;
      let without = start;
      for (const [gap, proof] of gaps) {
        hours += gap;
        withUnknown = afterCheck(withUnknown, proof, at(hours)).condition;
        if (proof !== "unknown") without = afterCheck(without, proof, at(hours)).condition;
        expect(withUnknown).toEqual(without);
      }
    }),
  );
});

test("what was proved stays its owner's, and is broken by nothing less than three failures over a day", () => {
  fc.assert(
    fc.property(checks, (gaps) => {
      let hours = 0;
      let condition = verified;
      let failedAt: number[] = [];
      for (const [gap, proof] of gaps.filter(([, each]) => each !== "unknown")) {
        hours += gap;
        failedAt = proof === "proved" ? [] : [...failedAt, at(hours).getTime()];
        condition = afterCheck(condition, proof, at(hours)).condition;
        const failingMs = (failedAt.at(-1) ?? 0) - (failedAt[0] ?? 0);
        expect(condition.state).toBe(failedAt.length >= 3 && failingMs >= 24 * 3_600_000 ? "broken" : "verified");
      }
      expect(isProved(condition.state)).toBe(true);
    }),
  );
});
