import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheFolder } from "../peers/cache-folder.ts";
import { runCommand } from "../peers/command.ts";
import { goCommand } from "../peers/go-toolchain.ts";
import { onceOnly } from "../peers/once-only.ts";

/** For each command of a build: at low priority beside much other work; some ten minutes otherwise. */
export const buildLimitMs = 4 * 60 * 60_000;

/** Makes a program in a folder that is thrown away. @returns its path */
export type Build = (go: string, folder: string) => Promise<string>;

interface Program {
  name: string;
  version: string;
  build: Build;
}

/** The path of a program in the cache, made once per machine and version. */
export async function cachedProgram({ name, version, build }: Program, say: (line: string) => void): Promise<string> {
  const file = join(cacheFolder(`${name}-${version}`), name);
  const make = async () => {
    say(`building ${name} ${version}`);
    const folder = await mkdtemp(join(tmpdir(), `postern-${name}-`));
    try {
      const program = await build(await goCommand(), folder);
      await mkdir(dirname(file), { recursive: true });
      await cp(program, `${file}.new`);
      await rename(`${file}.new`, file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  await onceOnly(file, make, buildLimitMs);
  return file;
}

/** In a copy of a module, as it builds itself: with what it excludes and replaces, and with the sums of its own go.sum. */
export function inItself(module: string, version: string, path: string): Build {
  return async (go, folder) => {
    const inFolder = (...words: string[]) => runCommand("env", [`--chdir=${folder}`, ...words], buildLimitMs);
    const told = await inFolder(go, "mod", "download", "-json", `${module}@${version}`);
    // Beside the JSON stands what it fetched. The folder's name is not the module's: "!" stands before what was a capital.
    await cp(/"Dir": "(.*)"/.exec(told)?.[1] ?? "", folder, { recursive: true });
    await inFolder("chmod", "--recursive", "u+w", ".");
    const flags = ["-p=1", "-trimpath", "-ldflags=-s -w", "-o=program"];
    await inFolder("CGO_ENABLED=0", "GOWORK=off", "nice", go, "build", ...flags, path);
    return join(folder, "program");
  };
}
