import { link, readFile, readlink, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../../errors.ts";

/** What a server writes of itself into postmaster.pid (PostgreSQL, miscadmin.h: LOCK_FILE_LINE_…). */
export interface Postmaster {
  pid: number;
  /** In whole seconds. */
  startedAt: Date;
  port: number;
  isReady: boolean;
}

const lockFile = "postmaster.pid";
const emptyLockPatienceMs = 5_000;

/** The server that runs on this data directory, if one does. */
export async function runningPostmaster(dataFolder: string): Promise<Postmaster | undefined> {
  const content = await readLock(dataFolder);
  if (content === undefined) return undefined;
  const [pid, , startedAtS, port, , , , status] = content.split("\n");
  if (!(await runsOn(dataFolder, Number(pid)))) return undefined;
  return {
    pid: Number(pid),
    startedAt: new Date(Number(startedAtS) * 1000),
    port: Number(port),
    isReady: status?.trim() === "ready",
  };
}

/**
 * Removes what a killed server left behind where PostgreSQL itself would not: it starts over a number that nobody
 * has, but not over one that is another process's by now, as it often is in a container, nor over an empty file.
 */
export async function removeStaleLock(dataFolder: string): Promise<void> {
  const content = await readLock(dataFolder);
  if (content === undefined || !(await isStale(dataFolder, content))) return;
  // Somebody else may be doing the same, and have started a server meanwhile: its lock is put back.
  const aside = join(dataFolder, `${lockFile}.stale.${process.pid}`);
  await rename(join(dataFolder, lockFile), aside);
  if ((await readFile(aside, "utf8")) !== content) await link(aside, join(dataFolder, lockFile));
  await rm(aside);
}

async function isStale(dataFolder: string, content: string): Promise<boolean> {
  const pid = Number.parseInt(content, 10);
  if (Number.isInteger(pid)) return send(pid, 0) && !(await runsOn(dataFolder, pid));
  // A server that starts writes it just after it has made it.
  const { mtimeMs } = await stat(join(dataFolder, lockFile));
  return Date.now() - mtimeMs > emptyLockPatienceMs;
}

function readLock(dataFolder: string): Promise<string | undefined> {
  return readFile(join(dataFolder, lockFile), "utf8").catch(() => undefined);
}

/** Whether this process is alive and is a server on this data directory, which is where a server's working directory is. */
async function runsOn(dataFolder: string, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  if (process.platform !== "linux") return send(pid, 0);
  return (await readlink(`/proc/${pid}/cwd`).catch(() => "")) === dataFolder;
}

/** Stops a server that is not our child. Resolves when the process has ended. */
export function stopPostmaster(dataFolder: string, pid: number): Promise<void> {
  return shutDown(
    (signal) => send(pid, signal),
    async () => !(await runsOn(dataFolder, pid)),
  );
}

/**
 * Fast shutdown, which ends all sessions and writes a checkpoint; if that takes longer than 30 s, immediate
 * shutdown, after which the next start recovers from the log (PostgreSQL, 18.5).
 */
export async function shutDown(
  kill: (signal: NodeJS.Signals) => void,
  isGone: () => Promise<boolean> | boolean,
): Promise<void> {
  for (const [signal, patienceMs] of [["SIGINT", 30_000] as const, ["SIGQUIT", 10_000] as const]) {
    if (await isGone()) return;
    kill(signal);
    for (const until = performance.now() + patienceMs; performance.now() < until; await delay(5))
      if (await isGone()) return;
  }
  throw new Error("The embedded PostgreSQL does not stop");
}

/** False if there is no such process, or it is another user's. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}
