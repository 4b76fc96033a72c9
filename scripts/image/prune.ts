import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { externalPackages } from "../services/external-packages.ts";

// Takes out of a node_modules folder what no running service reads: all that is in the bundle, which is nearly everything. What its
// packages are licensed under goes into one file, which goes along with the bundle.
//   node scripts/image/prune.ts node_modules THIRD-PARTY-LICENSES.txt

/** What only a debugger, a compiler or a bundler opens. */
const unreadFiles = ["**/*.map", "**/*.{d.ts,d.mts,d.cts}", "**/{README,CHANGELOG}*.md"];
const licences = "**/{LICENSE,LICENCE,License,license,NOTICE,COPYING}{,-*,.md,.txt}";

const [folder, licencesFile] = process.argv.slice(2);
if (!folder || !licencesFile || !existsSync(folder)) {
  process.stderr.write("usage: node scripts/image/prune.ts NODE_MODULES LICENSES_FILE\n");
  process.exit(64); // sysexits.h EX_USAGE
}
writeFileSync(licencesFile, licencesOf(folder));
const bundled = readdirSync(folder).filter((name) => !externalPackages.includes(name));
for (const path of [...bundled, ...globSync(unreadFiles, { cwd: folder })])
  rmSync(join(folder, path), { recursive: true, force: true });

/** Each text once, after the packages that have it. */
function licencesOf(folder: string): string {
  const texts = new Map<string, { text: string; packages: string[] }>();
  for (const path of globSync(licences, { cwd: folder }).sort()) {
    const text = readFileSync(join(folder, path), "utf8").trim();
    const digest = createHash("sha256").update(text).digest("hex");
    const known = texts.get(digest) ?? { text, packages: [] };
    known.packages.push(dirname(path));
    texts.set(digest, known);
  }
  return [...texts.values()]
    .map(({ text, packages }) => `${packages.join("\n")}\n\n${text}\n`)
    .join(`\n${"=".repeat(78)}\n\n`);
}
