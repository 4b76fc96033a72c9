import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "./cache-folder.ts";
import { hasCommand, runCommand } from "./command.ts";
import { onceOnly } from "./once-only.ts";

const fetchLimitMs = 5 * 60_000;
const needed =
  "Rules are tested with Prometheus and its promtool: put both on the path (Debian: apt-get install prometheus, from 13 on promtool too)";

/** promtool of the path or of the cache. @throws Error saying how to get it. */
export function promtool(): Promise<string> {
  return program("promtool");
}

/** The server that promtool comes with. @throws Error saying how to get it. */
export function prometheus(): Promise<string> {
  return program("prometheus");
}

/** Of the path, or taken out of Debian's packages into a cache folder, so that no server is installed. */
async function program(name: "promtool" | "prometheus"): Promise<string> {
  if (await hasCommand(name, ["--version"])) return name;
  const folder = cacheFolder("prometheus");
  await onceOnly(folder, async () => {
    const scratch = await mkdtemp(join(tmpdir(), "postern-prometheus-"));
    try {
      await runCommand("apt-get", ["update"], fetchLimitMs);
      // Since Debian 13 promtool has a package of its own.
      const named = (await runCommand("apt-cache", ["pkgnames", "promtool"], fetchLimitMs))
        .split("\n")
        .includes("promtool");
      const packages = ["prometheus", ...(named ? ["promtool"] : [])];
      await runCommand("sh", ["-c", 'cd "$0" && apt-get download "$@"', scratch, ...packages], fetchLimitMs);
      for (const archive of (await readdir(scratch)).filter((name) => name.endsWith(".deb")))
        await runCommand("dpkg-deb", ["--extract", join(scratch, archive), scratch], fetchLimitMs);
      await mkdir(`${folder}.new`, { recursive: true });
      const programs = ["promtool", "prometheus"].map((each) => join(scratch, "usr/bin", each));
      await runCommand("cp", [...programs, `${folder}.new/`], fetchLimitMs);
      await rename(`${folder}.new`, folder);
    } catch (cause) {
      throw new Error(`${needed}; it could not be had from here`, { cause });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
  return join(folder, name);
}
