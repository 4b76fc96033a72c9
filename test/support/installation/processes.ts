import { readdir, readFile, readlink } from "node:fs/promises";

/** A process of this machine (proc(5)). */
interface SystemProcess {
  pid: number;
  parentPid: number;
  command: string;
  workingFolder: string;
}

/** All processes that can be seen, without the dead that nobody has asked after yet. */
export async function processes(): Promise<SystemProcess[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(pids.map(inspect))).filter((found) => found !== undefined);
}

async function inspect(pid: number): Promise<SystemProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const [state, parentPid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return undefined;
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
    return { pid, parentPid: Number(parentPid), command, workingFolder: await readlink(`/proc/${pid}/cwd`) };
  } catch {
    // It has ended while it was looked at, or is a kernel thread.
    return undefined;
  }
}
