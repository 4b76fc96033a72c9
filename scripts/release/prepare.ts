import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../peers/command.ts";

const limitMs = 120_000;
const versionPattern = /^(\d+)\.(\d+)\.(\d+)$/;

/** Where the version stands: in each match of the pattern, between its two groups. */
const places: readonly (readonly [path: string, pattern: RegExp])[] = [
  ["package.json", /^( {2}"version": ")[^"]*(",)$/m],
  ["package-lock.json", /^( {2}"version": ")[^"]*(",)$/m],
  ["package-lock.json", /^( {6}"version": ")[^"]*(",)$/m], // The first of "packages" is this one.
  ["clients/typescript/package.json", /^( {2}"version": ")[^"]*(",)$/m],
  ["clients/examples/playwright/package.json", /("@postern\/client": ")[^"]*(")/],
  ["clients/python/pyproject.toml", /^(version = ")[^"]*(")$/m],
  ["clients/python/src/postern/__init__.py", /^(__version__ = ")[^"]*(")$/m],
  ["charts/postern/Chart.yaml", /^(version: )\S+()$/m],
  ["charts/postern/Chart.yaml", /^(appVersion: )\S+()$/m],
  ["charts/postern-dev/Chart.yaml", /^(version: )\S+()$/m],
  ["docs/kubernetes.md", /^(docker build --tag registry\.example\.org\/postern:)\S+( \.)$/m],
  ["docs/kubernetes.md", /^(docker push registry\.example\.org\/postern:)\S+()$/m],
  ["docs/kubernetes.md", /(repository: registry\.example\.org\/postern, tag: ")[^"]*(")/],
];

/** @throws Error unless the version is one, and higher than the one before */
export function checkVersion(version: string, before: string): void {
  const [next, last] = [versionPattern.exec(version), versionPattern.exec(before)];
  if (!next || !last) throw new Error(`"${version}" is no version: it is three numbers, such as 0.2.0`);
  const at = [1, 2, 3].find((part) => next[part] !== last[part]);
  if (at === undefined || Number(next[at]) < Number(last[at]))
    throw new Error(`${version} does not come after ${before}, which is this tree's version`);
}

/** The changelog with what was unreleased under the version. @throws Error if there is nothing */
function releasedChangelog(changelog: string, version: string, day: string): string {
  const [, unreleased = ""] = changelog.split(/^## .*$/m);
  if (!changelog.includes("\n## [Unreleased]\n") || unreleased.trim() === "")
    throw new Error("CHANGELOG.md has nothing under [Unreleased]");
  return changelog.replace("## [Unreleased]\n", `## [Unreleased]\n\n## [${version}] - ${day}\n`);
}

/** Writes the version wherever it stands, and makes today's events and graph the baselines of what comes after. */
export async function prepareRelease(root: string, version: string, day: string): Promise<void> {
  const changelogPath = join(root, "CHANGELOG.md");
  const changelog = releasedChangelog(await readFile(changelogPath, "utf8"), version, day);
  for (const [path, pattern] of places) {
    const text = await readFile(join(root, path), "utf8");
    if (!pattern.test(text)) throw new Error(`${path} does not say its version where it is looked for: ${pattern}`);
    await writeFile(join(root, path), text.replace(pattern, `$1${version}$2`));
  }
  await writeFile(changelogPath, changelog);
  const bin = (name: string) => join(root, "node_modules/.bin", name);
  await runCommand(bin("buf"), ["build", root, "-o", join(root, "proto/baseline.binpb")], limitMs);
  await runCommand(process.execPath, [join(root, "scripts/graph-changes.ts"), "--accept"], limitMs);
}
