import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { endAll, execute, type ProcessResult } from "./runner/execute.ts";
import { type Check, checkLimitS, checks, type Suite, suites } from "./runner/plan.ts";
import { add, emptyReport, type JestReport, type Tally, tallySuite } from "./runner/tally.ts";

// All of `npm test`: the checks, then the suites, then one line "N passed, N failed".
//   npm test -- --suite=contract    only this check or suite; may be given several times
//   npm test -- services/auth       only the test files whose path matches

process.chdir(join(import.meta.dirname, ".."));
process.env.PATH = `${resolve("node_modules/.bin")}${delimiter}${process.env.PATH}`;
// Jest and the checks start in less.
process.env.NODE_COMPILE_CACHE = resolve("node_modules/.cache/compile");
const startedMs = Date.now();
const nothingRun: ProcessResult = { code: 0, output: "", timedOut: false };
const scratch = mkdtempSync(join(tmpdir(), "postern-test-"));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}

async function runCheck(check: Check): Promise<Tally> {
  const startedMs = Date.now();
  const { limitS = checkLimitS } = check;
  const { code, output, timedOut } = await execute(check.command, { limitS, quiet: true });
  const isPassed = code === 0 && !timedOut;
  if (!isPassed) say(output);
  const because = timedOut ? `, ended after its ${limitS} s` : "";
  say(`${isPassed ? "passed" : "FAILED"}  ${check.name}  (${seconds(startedMs)}${because})`);
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, reasons: [] };
}

function readReport(path: string): JestReport | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as JestReport) : undefined;
}

function jest(
  suite: Suite,
  folders: readonly string[],
  filters: readonly string[],
  report: string,
): Promise<ProcessResult> {
  const roots = folders.flatMap((folder) => ["--roots", folder]);
  const workers = suite.workers === undefined ? [] : [`--maxWorkers=${suite.workers}`];
  const outputs = ["--ci", "--json", `--outputFile=${report}`];
  return execute(["jest", ...roots, ...workers, ...outputs, "--", ...filters], {
    limitS: suite.limitS,
    quiet: false,
    environment: {
      ...suite.environment,
      NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning",
    },
  });
}

async function runSuite(suite: Suite, filters: readonly string[]): Promise<Tally> {
  const startedMs = Date.now();
  say(`\n── ${suite.name} ──`);
  const report = join(scratch, `${suite.name}.json`);
  const folders = suite.folders.filter((folder) => existsSync(folder));
  // Without a root jest would take them all.
  const ending = folders.length === 0 ? nothingRun : await jest(suite, folders, filters, report);
  const found = folders.length === 0 ? emptyReport : readReport(report);
  const { passed, failed, reasons } = tallySuite(found, ending, filters.length > 0);
  const verdict = `${failed === 0 ? "passed" : "FAILED"}  ${suite.name}: ${passed} passed, ${failed} failed`;
  say([`${verdict}  (${seconds(startedMs)})`, ...reasons].join("; "));
  return { passed, failed, reasons };
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { suite: { type: "string", multiple: true, default: [] } },
    allowPositionals: true,
  });
  const wanted = new Set(values.suite.flatMap((names) => names.split(",")));
  const names = [...checks, ...suites].map(({ name }) => name);
  const unknown = [...wanted].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    say(`There is no suite ${unknown.join(", ")}. There are: ${names.join(", ")}.`);
    return 64; // sysexits.h EX_USAGE
  }
  const isWanted = ({ name }: { name: string }): boolean => wanted.size === 0 || wanted.has(name);
  let total: Tally = { passed: 0, failed: 0, reasons: [] };
  const wantedSuites = suites.filter(isWanted);
  const isNeeded = (check: Check) => check.isNeededBySuites === true && wantedSuites.length > 0;
  for (const check of checks.filter((one) => isNeeded(one) || (isWanted(one) && positionals.length === 0)))
    total = add(total, await runCheck(check));
  for (const suite of wantedSuites) total = add(total, await runSuite(suite, positionals));
  if (total.passed + total.failed === 0) {
    say(`No test matches ${positionals.join(" ")}.`);
    total = { ...total, failed: 1 };
  }
  say(`\n${seconds(startedMs)} in all`);
  say(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endAll(signal); // Ctrl-C reaches only our own group
    rmSync(scratch, { recursive: true, force: true });
    process.exit(130);
  });
}
try {
  process.exitCode = await run();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
