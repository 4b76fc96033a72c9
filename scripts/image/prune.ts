import { existsSync, globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { externalPackages } from "../services/external-packages.ts";

// Takes out of a node_modules folder what no running service reads: all that is in the bundle, which is nearly everything.
//   node scripts/image/prune.ts node_modules

/** What only a debugger, a compiler or a bundler opens. Licences stay. */
const unreadFiles = ["**/*.map", "**/*.{d.ts,d.mts,d.cts}", "**/{README,CHANGELOG}*.md"];

const [folder] = process.argv.slice(2);
if (!folder || !existsSync(folder)) {
  process.stderr.write("usage: node scripts/image/prune.ts NODE_MODULES\n");
  process.exit(64); // sysexits.h EX_USAGE
}
const bundled = readdirSync(folder).filter((name) => !externalPackages.includes(name));
for (const path of [...bundled, ...globSync(unreadFiles, { cwd: folder })])
  rmSync(join(folder, path), { recursive: true, force: true });
