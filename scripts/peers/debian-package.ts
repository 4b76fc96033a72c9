import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { oneAtATime } from "./once-only.ts";

const installLimitMs = 5 * 60_000;
/** apt-get refuses a second one beside it. */
const lock = join(tmpdir(), "postern-apt-get.lock");

/**
 * Sees to it that a peer is there, from the system's packages.
 * @throws Error saying what is missing and how to get it.
 */
export async function provideDebianPackages(
  packages: readonly string[],
  isThere: () => Promise<boolean>,
): Promise<void> {
  await oneAtATime(lock, isThere, () => install(packages));
  if (!(await isThere())) throw new Error(`${packages.join(" ")} was installed, but cannot be used`);
}

async function install(packages: readonly string[]): Promise<void> {
  try {
    await runCommand("apt-get", ["update"], installLimitMs);
    const quiet = ["DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes", "--no-install-recommends"];
    await runCommand("env", [...quiet, ...packages], installLimitMs);
  } catch (error) {
    const names = packages.join(" ");
    throw new Error(`this needs ${names} (Debian: apt-get install ${names}); it could not be installed from here`, {
      cause: error,
    });
  }
}
