/** One command whose exit code is its verdict; its output is shown if it fails. */
export interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** As `checkLimitS` unless given. */
  readonly limitS?: number;
  /** Makes what suites open: run before any of them, whatever was asked for. */
  readonly isNeededBySuites?: true;
}

/** Jest over some folders with some environment. The same folders may stand in several suites, each in another mode. */
export interface Suite {
  readonly name: string;
  readonly folders: readonly string[];
  /** Test files at a time; jest.config.mjs says how many unless given. More where files mostly wait for what they have started. */
  readonly workers?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly limitS: number;
}

/** A check takes seconds, on a busy machine a minute: this is for one that hangs. */
export const checkLimitS = 300;

export const checks: readonly Check[] = [
  { name: "peers", command: ["node", "test/runner/provide-peers.ts"], limitS: 1_200 },
  { name: "typecheck", command: ["tsc", "--noEmit"] },
  { name: "web-typecheck", command: ["tsc", "--noEmit", "-p", "web"] },
  { name: "clients-typecheck", command: ["tsc", "--noEmit", "-p", "clients/typescript"] },
  { name: "lint", command: ["biome", "ci", "--colors=off", "--error-on-warnings", "."] },
  { name: "proto-lint", command: ["buf", "lint"] },
  { name: "proto-breaking", command: ["buf", "breaking", "--against", "proto/baseline.binpb"] },
  { name: "proto-generated", command: ["node", "test/runner/check-generated.ts"] },
  { name: "supergraph", command: ["node", "scripts/supergraph.ts", "--check"] },
  { name: "clients-generated", command: ["node", "scripts/clients.ts", "--check"] },
  { name: "web-operations", command: ["node", "scripts/web-operations.ts", "--check"] },
  { name: "web-build", command: ["node", "scripts/build-web.ts"], isNeededBySuites: true },
  { name: "services-build", command: ["node", "scripts/build-services.ts"], isNeededBySuites: true },
  { name: "docs-build", command: ["node", "scripts/build-docs.ts"], isNeededBySuites: true },
  { name: "graph-breaking", command: ["node", "scripts/graph-changes.ts"] },
];

/** POSTERN_TEST_MODE: one process on its embedded defaults, or every service a process over Kafka, PostgreSQL and Redis. */
export const suites: readonly Suite[] = [
  {
    name: "unit",
    folders: ["services", "gateway", "proto", "scripts", "test/runner", "test/lint"],
    workers: 3,
    limitS: 1_200,
  },
  { name: "integration", folders: ["test/integration"], workers: 3, limitS: 1_200 },
  { name: "chart", folders: ["test/chart"], limitS: 900 },
  { name: "contract", folders: ["test/contract"], workers: 3, limitS: 1_200 },
  { name: "graph-fleet", folders: ["test/contract/graph"], environment: { POSTERN_TEST_MODE: "fleet" }, limitS: 900 },
  { name: "web", folders: ["test/web"], workers: 3, limitS: 1_200 },
  { name: "clients", folders: ["test/clients"], environment: { POSTERN_TEST_MODE: "single" }, limitS: 900 },
  {
    name: "attacks",
    folders: ["test/attacks"],
    workers: 3,
    environment: { POSTERN_TEST_MODE: "single" },
    limitS: 1_200,
  },
  // Those whose way leads over the bus, between processes, or to counters in Redis.
  {
    name: "attacks-fleet",
    folders: ["test/attacks/both-buses"],
    environment: { POSTERN_TEST_MODE: "fleet" },
    limitS: 900,
  },
  { name: "e2e", folders: ["test/e2e"], workers: 3, environment: { POSTERN_TEST_MODE: "single" }, limitS: 900 },
  { name: "e2e-fleet", folders: ["test/e2e"], workers: 2, environment: { POSTERN_TEST_MODE: "fleet" }, limitS: 1_800 },
  {
    name: "faults",
    folders: ["test/faults/common", "test/faults/single"],
    environment: { POSTERN_TEST_MODE: "single" },
    limitS: 900,
  },
  {
    name: "faults-fleet",
    folders: ["test/faults/common", "test/faults/fleet"],
    environment: { POSTERN_TEST_MODE: "fleet" },
    limitS: 1_800,
  },
];
