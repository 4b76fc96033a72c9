import { mkdir, readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { exists } from "../../services/platform/files.ts";

const mount = "/sys/fs/cgroup";
const cluster = "postern-cluster";
const endLimitMs = 60_000;

/** The control group of a part of the cluster, as kubelets are told it. */
export const groupOf = (part: string) => `/${cluster}/${part}`;

/** The folders of the kernel's hierarchies: one with version 2, one for each controller with version 1. */
async function hierarchies(): Promise<string[]> {
  if (await exists(join(mount, "cgroup.controllers"))) return [mount];
  const names = (await readdir(mount)).filter((name) => name !== "unified");
  return names.map((name) => join(mount, name));
}

/** The one hierarchy that tells which processes are the cluster's: every container is in it too. */
const counting = async () => ((await exists(join(mount, "cgroup.controllers"))) ? mount : join(mount, "pids"));

/** Makes a group, and says the file that a process writes its id into to be in it with whatever it starts. */
export async function makeGroup(part: string): Promise<string> {
  for (const hierarchy of await hierarchies()) await mkdir(join(hierarchy, groupOf(part)), { recursive: true });
  return join(await counting(), groupOf(part), "cgroup.procs");
}

/** Ends what runs in the cluster's groups, containers and their keepers among it, and takes the groups away. */
export async function endGroups(): Promise<void> {
  for (const until = Date.now() + endLimitMs; ; await delay(200)) {
    const pids = await processes();
    if (pids.length === 0) break;
    if (Date.now() > until) throw new Error(`processes that do not end: ${pids.join(" ")}`);
    for (const pid of pids) kill(pid);
  }
  for (const hierarchy of await hierarchies())
    for (const folder of (await groupFolders(hierarchy)).reverse()) await rmdir(folder);
}

async function processes(): Promise<number[]> {
  const folders = await groupFolders(await counting());
  const texts = await Promise.all(
    folders.map((folder) => readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "")),
  );
  return texts.flatMap((text) => text.split("\n").filter(Boolean).map(Number));
}

/** The folders of the cluster's groups, each before those in it. */
async function groupFolders(hierarchy: string): Promise<string[]> {
  const top = join(hierarchy, cluster);
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
