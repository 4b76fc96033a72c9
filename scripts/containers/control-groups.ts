import { mkdir, readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { exists } from "../../services/platform/files.ts";
import type { Place } from "./places.ts";

const mount = "/sys/fs/cgroup";
const endLimitMs = 60_000;

/** The control group of a part of what runs at a place, as kubelets are told it. */
export const groupOf = ({ group }: Place, part: string) => `/${group}/${part}`;

/** The folders of the kernel's hierarchies: one with version 2, one for each controller with version 1, and version 2's beside them. */
async function hierarchies(): Promise<string[]> {
  if (await exists(join(mount, "cgroup.controllers"))) return [mount];
  return (await readdir(mount)).map((name) => join(mount, name));
}

/** The one hierarchy that tells which processes are a place's: every container is in it too. */
const counting = async () => ((await exists(join(mount, "cgroup.controllers"))) ? mount : join(mount, "pids"));

/** Makes a group, and says the file that a process writes its id into to be in it with whatever it starts. */
export async function makeGroup(place: Place, part: string): Promise<string> {
  for (const hierarchy of await hierarchies()) await mkdir(join(hierarchy, groupOf(place, part)), { recursive: true });
  return join(await counting(), groupOf(place, part), "cgroup.procs");
}

/** Ends what runs in a place's groups, containers and their keepers among it, and takes the groups away. */
export async function endGroups(place: Place): Promise<void> {
  for (const until = Date.now() + endLimitMs; ; await delay(200)) {
    const pids = await processes(place);
    if (pids.length === 0) break;
    if (Date.now() > until) throw new Error(`processes that do not end: ${pids.join(" ")}`);
    for (const pid of pids) kill(pid);
  }
  // One after the other: a hierarchy may have two names.
  for (const hierarchy of await hierarchies())
    for (const folder of (await foldersBelow(place, hierarchy)).reverse()) await rmdir(folder);
}

async function processes(place: Place): Promise<number[]> {
  const folders = await foldersBelow(place, await counting());
  const texts = await Promise.all(
    folders.map((folder) => readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "")),
  );
  return texts.flatMap((text) => text.split("\n").filter(Boolean).map(Number));
}

/** The folders of a place's groups in every hierarchy, each before those in it. Exported for tests. */
export async function groupFolders(place: Place): Promise<string[]> {
  return (await Promise.all((await hierarchies()).map((hierarchy) => foldersBelow(place, hierarchy)))).flat();
}

async function foldersBelow({ group }: Place, hierarchy: string): Promise<string[]> {
  const top = join(hierarchy, group);
  if (!(await exists(top))) return [];
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  return [top, ...below.sort((a, b) => a.length - b.length)];
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
