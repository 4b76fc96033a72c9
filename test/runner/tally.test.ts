import { expect, test } from "@jest/globals";
import { emptyReport, type JestReport, tallySuite } from "./tally.ts";

const ended = { code: 0, output: "", timedOut: false };
const clean: JestReport = { ...emptyReport, numPassedTests: 3 };

test("passed tests are counted", () => {
  expect(tallySuite(clean, ended, false)).toEqual({ passed: 3, failed: 0, reasons: [] });
});

test.each([
  ["a failed test", { numFailedTests: 2 }, { code: 1 }, 2],
  ["a skipped test", { numPendingTests: 1 }, {}, 1],
  ["a test yet to be written", { numTodoTests: 1 }, {}, 1],
  ["a file that could not run", { numRuntimeErrorTestSuites: 1 }, { code: 1 }, 1],
  ["a bad end after good tests", {}, { code: 1 }, 1],
  ["a suite over its time", {}, { code: 1, timedOut: true }, 1],
])("%s counts as failed", (_, report, ending, failed) => {
  expect(tallySuite({ ...clean, ...report }, { ...ended, ...ending }, false)).toMatchObject({ passed: 3, failed });
});

test("a suite without a test fails unless a filter was given", () => {
  expect(tallySuite(emptyReport, ended, false).failed).toBe(1);
  expect(tallySuite(emptyReport, ended, true).failed).toBe(0);
});

test("a jest that left no report fails, and says whether its time was up", () => {
  expect(tallySuite(undefined, { ...ended, code: 134 }, true)).toEqual({
    passed: 0,
    failed: 1,
    reasons: ["jest left no report (exit code 134)"],
  });
  expect(tallySuite(undefined, { ...ended, timedOut: true }, true).reasons).toEqual([
    "the suite's time limit ended it",
  ]);
});
