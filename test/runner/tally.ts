import type { ProcessResult } from "./execute.ts";

/** What jest's --json file says, as far as it is counted. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

export const emptyReport: JestReport = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};

/** A count of verdicts, and in words why something other than a failed test counts as failed. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly reasons: readonly string[];
}

/**
 * Counts one suite. A test that was skipped, a file that could not run, a suite without a test and a jest that ended badly
 * with every test passed are failures too: nothing is passed over in silence.
 * @param mayBeEmpty a path filter was given, and no test of this suite need match it
 */
export function tallySuite(report: JestReport | undefined, result: ProcessResult, mayBeEmpty: boolean): Tally {
  const reasons: string[] = [];
  if (result.timedOut) reasons.push("the suite's time limit ended it");
  if (report === undefined) {
    if (reasons.length === 0) reasons.push(`jest left no report (exit code ${result.code})`);
    return { passed: 0, failed: 1, reasons };
  }
  const skipped = report.numPendingTests + report.numTodoTests;
  const broken = report.numRuntimeErrorTestSuites;
  if (skipped > 0) reasons.push(`${skipped} skipped, which counts as failed`);
  if (broken > 0) reasons.push(`${broken} test files could not run`);
  let failed = report.numFailedTests + skipped + broken + (result.timedOut ? 1 : 0);
  if (report.numPassedTests + failed === 0) {
    if (mayBeEmpty) return { passed: 0, failed: 0, reasons };
    reasons.push("no test was found");
    failed = 1;
  } else if (failed === 0 && result.code !== 0) {
    reasons.push(`jest ended with exit code ${result.code} though no test failed`);
    failed = 1;
  }
  return { passed: report.numPassedTests, failed, reasons };
}

export function add(one: Tally, other: Tally): Tally {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    reasons: [...one.reasons, ...other.reasons],
  };
}
