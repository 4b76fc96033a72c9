import { rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { cacheFolder } from "./cache-folder.ts";
import { runCommand } from "./command.ts";
import { goCommand } from "./go-toolchain.ts";
import { onceOnly } from "./once-only.ts";

const buildLimitMs = 9 * 60_000;

interface GoProgram {
  /** The package that is built: helm.sh/helm/v4/cmd/helm. */
  module: string;
  version: string;
  /** What it is called in the cache; the package's last part unless given. */
  name?: string;
  /** Who needs it, and how else it can be had: the beginning of a sentence. */
  needed: string;
}

/**
 * The path of a program, built from its Go module into a cache folder once per machine and version.
 * @throws Error saying what is missing and how to get it.
 */
export async function goProgram({ module, version, needed, name = basename(module) }: GoProgram): Promise<string> {
  const folder = cacheFolder(`${name}-${version}`);
  await onceOnly(folder, async () => {
    const aside = `${folder}.new`;
    await rm(aside, { recursive: true, force: true });
    try {
      const go = await goCommand();
      await runCommand("env", [`GOBIN=${aside}`, go, "install", `${module}@${version}`], buildLimitMs);
    } catch (cause) {
      throw new Error(`${needed}; it could not be built from here`, { cause });
    }
    await rename(aside, folder);
  });
  return join(folder, basename(module));
}
