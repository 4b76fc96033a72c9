// ESM under jest: run it by `npm run jest` or `npm test`, which set --experimental-vm-modules.
/** What swc makes of a file. @param tsx whether it has JSX, as the web application's texts do */
const transformOf = (tsx) => [
  "@swc/jest",
  {
    swcrc: false,
    module: { type: "es6" },
    sourceMaps: "inline",
    jsc: {
      target: "es2024",
      parser: { syntax: "typescript", tsx },
      // verbatimModuleSyntax: exactly the imports that type stripping leaves, no fewer.
      transform: { verbatimModuleSyntax: true, react: { runtime: "automatic" } },
    },
  },
];

export default {
  rootDir: import.meta.dirname,
  testEnvironment: "node",
  testMatch: ["<rootDir>/{services,gateway,proto,scripts,test}/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/(data|\\.cache|web)/"],
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: {
    "\\.ts$": transformOf(false),
    "\\.tsx$": transformOf(true),
  },
  injectGlobals: false,
  watchman: false,
  // Two cores: one for a test's own process, one for the servers that it starts.
  maxWorkers: 2,
  testSequencer: "<rootDir>/test/runner/longest-first.config.mjs",
  workerIdleMemoryLimit: "1GB",
  // A bound for what hangs; no measure of speed, since a machine may be slow or busy. The time limit of the suite bounds the rest.
  testTimeout: 240_000,
};
