/** One command whose exit code is its verdict; its output is shown if it fails. */
export interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly limitS: number;
}

/** Jest over some folders with some environment. The same folders may stand in several suites, each in another mode. */
export interface Suite {
  readonly name: string;
  readonly folders: readonly string[];
  /** Test files at a time; jest.config.mjs says how many unless given. */
  readonly workers?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly limitS: number;
}

export const checks: readonly Check[] = [
  { name: "typecheck", command: ["tsc", "--noEmit"], limitS: 120 },
  { name: "web-typecheck", command: ["tsc", "--noEmit", "-p", "web"], limitS: 120 },
  { name: "lint", command: ["biome", "ci", "--colors=off", "--error-on-warnings", "."], limitS: 60 },
  { name: "proto-lint", command: ["buf", "lint"], limitS: 60 },
  { name: "proto-breaking", command: ["buf", "breaking", "--against", "proto/baseline.binpb"], limitS: 60 },
  { name: "proto-generated", command: ["node", "test/runner/check-generated.ts"], limitS: 60 },
  { name: "supergraph", command: ["node", "scripts/supergraph.ts", "--check"], limitS: 60 },
  { name: "web-operations", command: ["node", "scripts/web-operations.ts", "--check"], limitS: 60 },
  { name: "web-build", command: ["node", "scripts/build-web.ts"], limitS: 120 },
  { name: "graph-breaking", command: ["node", "scripts/graph-changes.ts"], limitS: 60 },
];

/** POSTERN_TEST_MODE: one process on its embedded defaults, or every service a process over Kafka, PostgreSQL and Redis. */
export const suites: readonly Suite[] = [
  { name: "unit", folders: ["services", "gateway", "proto", "scripts", "test/runner", "test/lint"], limitS: 900 },
  { name: "integration", folders: ["test/integration"], limitS: 1_200 },
  { name: "chart", folders: ["test/chart"], limitS: 900 },
  { name: "contract", folders: ["test/contract"], limitS: 900 },
  { name: "graph-fleet", folders: ["test/contract/graph"], environment: { POSTERN_TEST_MODE: "fleet" }, limitS: 600 },
  { name: "web", folders: ["test/web"], limitS: 900 },
  { name: "e2e", folders: ["test/e2e"], workers: 1, environment: { POSTERN_TEST_MODE: "single" }, limitS: 600 },
  { name: "e2e-fleet", folders: ["test/e2e"], workers: 1, environment: { POSTERN_TEST_MODE: "fleet" }, limitS: 900 },
  {
    name: "faults",
    folders: ["test/faults/common", "test/faults/single"],
    workers: 1,
    environment: { POSTERN_TEST_MODE: "single" },
    limitS: 900,
  },
  {
    name: "faults-fleet",
    folders: ["test/faults/common", "test/faults/fleet"],
    workers: 1,
    environment: { POSTERN_TEST_MODE: "fleet" },
    limitS: 1200,
  },
];
