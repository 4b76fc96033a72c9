import { join } from "node:path";
import { runCommand } from "../peers/command.ts";

const root = join(import.meta.dirname, "../..");
const limitMs = 60_000;

/** A release by the commit that it was made of. */
export interface Release {
  version: string;
  commit: string;
}

/** The releases that this tree must be able to follow, the last one last: the first, and all tags. */
export async function releases(): Promise<Release[]> {
  const listed = ["-C", root, "tag", "--list", "--sort=version:refname", "[0-9]*.[0-9]*.[0-9]*"];
  const tags = (await runCommand("git", listed, limitMs)).split("\n");
  const later = tags.filter((tag) => tag !== "" && tag !== "0.1.0");
  return [{ version: "0.1.0", commit: "fc5566a" }, ...later.map((tag) => ({ version: tag, commit: tag }))];
}

/** Writes the files of a release into a folder. @throws Error saying what to do where the repository has not its whole history */
export async function unpackRelease({ version, commit }: Release, folder: string): Promise<void> {
  const archive = 'git -C "$1" archive "$2" | tar --extract --directory "$3"';
  await runCommand("bash", ["-o", "pipefail", "-c", archive, "bash", root, commit, folder], limitMs).catch(
    (cause: unknown) => {
      throw new Error(`${version} is made of ${commit}, which this clone may lack: git fetch --unshallow --tags`, {
        cause,
      });
    },
  );
}
