import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../../scripts/peers/command.ts";
import { providePython } from "../../../scripts/peers/python.ts";

const root = join(import.meta.dirname, "../../..");
export const clientsFolder = join(root, "clients");

/** A bound for what hangs; registries may be slow. */
export const installLimitMs = 300_000;

const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
const playwrightVersion = "1.65.1";

const npm = (folder: string, ...args: string[]) =>
  runCommand("npm", ["--prefix", folder, ...args, ...quiet], installLimitMs);

/** What `npm pack` makes, installed in an empty folder beside Playwright. @returns the folder */
export async function installedFromNpm(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-npm-"));
  // Built aside: a checkout that somebody works in stays as it is.
  const sources = join(root, ".cache", `client-${process.pid}`);
  await cp(join(clientsFolder, "typescript"), sources, { recursive: true });
  try {
    await runCommand("npm", ["pack", sources, "--pack-destination", folder, ...quiet], installLimitMs);
  } finally {
    await rm(sources, { recursive: true, force: true });
  }
  const [archive = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  await npm(folder, "install", join(folder, archive), `@playwright/test@${playwrightVersion}`);
  return folder;
}

/** What `pip wheel` makes, installed in a new environment beside pytest. @returns the environment's folder */
export async function installedFromPip(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-pip-"));
  await runCommand(await providePython(), ["-m", "venv", folder], installLimitMs);
  const pip = (...args: string[]) =>
    runCommand(join(folder, "bin/python"), ["-m", "pip", "--quiet", ...args], installLimitMs);
  await mkdir(join(folder, "wheels"));
  await pip("wheel", "--no-deps", "--wheel-dir", join(folder, "wheels"), join(clientsFolder, "python"));
  const [wheel = ""] = await readdir(join(folder, "wheels"));
  await pip("install", join(folder, "wheels", wheel), "pytest==9.2.0");
  return folder;
}
