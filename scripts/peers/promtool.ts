import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { hasCommand, runCommand } from "./command.ts";
import { onceOnly } from "./once-only.ts";

const fetchLimitMs = 5 * 60_000;
const needed =
  "Rules are tested with promtool: put it on the path (it comes with Prometheus; Debian: apt-get install prometheus)";

/**
 * promtool of the path, or taken out of Debian's package into a cache folder, so that no server is installed.
 * @throws Error saying how to get it.
 */
export async function promtool(): Promise<string> {
  if (await hasCommand("promtool", ["--version"])) return "promtool";
  const folder = join(homedir(), ".cache", "postern", "promtool");
  await onceOnly(folder, async () => {
    const scratch = await mkdtemp(join(tmpdir(), "postern-promtool-"));
    try {
      await runCommand("apt-get", ["update"], fetchLimitMs);
      await runCommand("sh", ["-c", 'cd "$1" && apt-get download prometheus', "sh", scratch], fetchLimitMs);
      const [archive = ""] = (await readdir(scratch)).filter((name) => name.endsWith(".deb"));
      await runCommand("dpkg-deb", ["--extract", join(scratch, archive), scratch], fetchLimitMs);
      await mkdir(`${folder}.new`, { recursive: true });
      await runCommand("cp", [join(scratch, "usr/bin/promtool"), `${folder}.new/`], fetchLimitMs);
      await rename(`${folder}.new`, folder);
    } catch (cause) {
      throw new Error(`${needed}; it could not be had from here`, { cause });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
  return join(folder, "promtool");
}
