import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./peers/command.ts";
import { makeArtefacts } from "./release/artefacts.ts";
import { checkVersion, prepareRelease } from "./release/prepare.ts";

// npm run release -- VERSION: the version wherever it stands, the changelog, the baselines, one commit and its tag; then the
// packages, the chart, the bill of materials and the provenance under release/VERSION. It publishes nothing.
const root = join(import.meta.dirname, "..");
const gitLimitMs = 30_000;
const git = async (...args: string[]) => (await runCommand("git", ["-C", root, ...args], gitLimitMs)).trim();
const say = (line: string) => process.stdout.write(`${line}\n`);

async function release(version: string): Promise<void> {
  const startedAt = new Date().toISOString();
  const { version: before } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  checkVersion(version, before);
  if ((await git("status", "--porcelain")) !== "") throw new Error("there are changes that are not committed");
  if ((await git("tag", "--list", version)) !== "") throw new Error(`there is a tag ${version} already`);
  const start = await git("rev-parse", "HEAD");
  try {
    await prepareRelease(root, version, startedAt.slice(0, 10));
    await git("commit", "--quiet", "--all", `--message=release: ${version}`);
    const commit = await git("rev-parse", "HEAD");
    const folder = await makeArtefacts(root, { version, commit, startedAt });
    await git("tag", "--annotate", `--message=${version}`, version);
    sayHowToPublish(version, commit, folder);
  } catch (error) {
    await git("reset", "--quiet", "--hard", start); // Nothing else is lost: there were no other changes.
    throw error;
  }
}

function sayHowToPublish(version: string, commit: string, folder: string): void {
  say(`${version} is commit ${commit}, tagged. Its packages are in ${folder}. To publish it:\n`);
  say(`  git push origin HEAD ${version}`);
  say(
    `  docker build --tag postern:${version} --label org.opencontainers.image.version=${version} --label org.opencontainers.image.revision=${commit} .`,
  );
}

try {
  await release(process.argv[2] ?? "");
} catch (error) {
  process.stderr.write(`No release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
