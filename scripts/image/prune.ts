import { existsSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";

// Takes out of a node_modules folder what no running service reads: three quarters of it.
//   node scripts/image/prune.ts node_modules

/** What only a debugger, a compiler or a bundler opens. Licences stay. */
const unreadFiles = [
  "**/*.map",
  "**/*.{d.ts,d.mts,d.cts,tsbuildinfo,flow}",
  "**/{README,CHANGELOG,HISTORY,CONTRIBUTING,SECURITY,UPGRADING}*.md",
  "**/{.github,.vscode,.nyc_output}",
];

/** Packages that others name as theirs, and use only to build or to be typed. */
const unreadPackages = ["typescript", "@typescript", "@types", "node"];

/** OpenTelemetry is there three times: as CommonJS, which Node loads, and twice for bundlers. */
const unreadBuilds = ["@opentelemetry/*/build/{esm,esnext}", "**/@opentelemetry/*/build/{esm,esnext}"];

const [folder] = process.argv.slice(2);
if (!folder || !existsSync(folder)) {
  process.stderr.write("usage: node scripts/image/prune.ts NODE_MODULES\n");
  process.exit(64); // sysexits.h EX_USAGE
}
for (const path of [...unreadPackages, ...globSync([...unreadBuilds, ...unreadFiles], { cwd: folder })])
  rmSync(join(folder, path), { recursive: true, force: true });
