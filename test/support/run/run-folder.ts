import { readFile, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "postern-jest-";

/** The process of this jest run: a worker's parent, or this one itself when jest runs in band. */
export const runProcessId = process.connected ? process.ppid : process.pid;

/** Memory, where the system has a file system of it with that much room: making a file there is fifty times as fast. */
export async function fastFolder(roomBytes: number): Promise<string> {
  const memory = await statfs("/dev/shm").catch(() => undefined);
  return memory && memory.bavail * memory.bsize > roomBytes ? "/dev/shm" : tmpdir();
}

/** The path for what all workers of this jest run share. Whoever makes a folder of it sees to its removal. */
export async function runFolder(name: string): Promise<string> {
  return join(await fastFolder(4 * 1024 ** 3), `${prefix}${runProcessId}-${await startTime(runProcessId)}-${name}`);
}

/** Whether a folder was left behind by a run that is over. */
export async function isLeftBehind(folderName: string): Promise<boolean> {
  const [, pid, started] = new RegExp(`^${prefix}(\\d+)-(\\w+)-`).exec(folderName) ?? [];
  return pid !== undefined && (await startTime(Number(pid))) !== started;
}

/** When a process started, by its own clock, so that a number used again is not taken for it; "none" if there is none. */
export async function startTime(pid: number): Promise<string> {
  if (process.platform !== "linux") return isAlive(pid) ? "alive" : "none";
  // proc_pid_stat(5): field 22, counted from behind the command's name, which may hold anything.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(noneIfEnded);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "none";
}

/** Whatever else keeps us from reading says nothing of the process: its servers must not be stopped for it. */
function noneIfEnded(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ESRCH") throw error;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
