import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists } from "../../services/platform/files.ts";
import { cacheFolder } from "../peers/cache-folder.ts";
import { hasCommand, runCommand } from "../peers/command.ts";
import { provideDebianPackages } from "../peers/debian-package.ts";
import { onceOnly } from "../peers/once-only.ts";

/** On a machine with much else to do at a low priority; a minute or two otherwise. */
const limitMs = 60 * 60_000;
const suite = "trixie";
/** The machine's, for what stands between it and the registries. */
export const authorities = "etc/ssl/certs/ca-certificates.crt";

/** A Debian with nothing in it that is not essential, as a tar archive; made once per machine. @returns its path */
export async function debianArchive(say: (line: string) => void): Promise<string> {
  const archive = join(cacheFolder("images"), `debian-${suite}.tar`);
  const make = async () => {
    say("fetching a Debian to build on");
    await provideDebianPackages(["debootstrap"], () => hasCommand("debootstrap", ["--version"]));
    const folder = `${archive}.d`;
    await rm(folder, { recursive: true, force: true });
    await mkdir(dirname(archive), { recursive: true });
    await runCommand("debootstrap", ["--variant=minbase", "--include=ca-certificates", suite, folder], limitMs);
    if (await exists(`/${authorities}`)) await cp(`/${authorities}`, join(folder, authorities));
    const unneeded = ["--exclude=./var/cache/apt/archives/*.deb", "--exclude=./var/lib/apt/lists/*"];
    await runCommand("tar", [`--directory=${folder}`, ...unneeded, "-cf", `${archive}.new`, "."], limitMs);
    await rm(folder, { recursive: true });
    await rename(`${archive}.new`, archive);
  };
  await onceOnly(archive, make, limitMs);
  return archive;
}
