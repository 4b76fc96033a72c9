import { runCommand } from "./command.ts";

const installLimitMs = 5 * 60_000;

/**
 * Sees to it that a peer is there, from the system's packages.
 * @throws Error saying what is missing and how to get it.
 */
export async function provideDebianPackages(
  packages: readonly string[],
  isThere: () => Promise<boolean>,
): Promise<void> {
  if (await isThere()) return;
  const names = packages.join(" ");
  try {
    await runCommand("apt-get", ["update"], installLimitMs);
    const quiet = ["DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes", "--no-install-recommends"];
    await runCommand("env", [...quiet, ...packages], installLimitMs);
  } catch (error) {
    throw new Error(`this needs ${names} (Debian: apt-get install ${names}); it could not be installed from here`, {
      cause: error,
    });
  }
  if (!(await isThere())) throw new Error(`${names} was installed, but cannot be used`);
}
