import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { exists } from "../../services/platform/files.ts";

const pollMs = 200;
const defaultLimitMs = 10 * 60_000;

/**
 * Makes `path` unless it is there, in one process at a time: others wait and find it made. `make` must put it there
 * complete, by a rename.
 * @param limitMs how long others wait, in milliseconds: as long as making it may take
 */
export async function onceOnly(path: string, make: () => Promise<void>, limitMs = defaultLimitMs): Promise<void> {
  await oneAtATime(`${path}.lock`, () => exists(path), make, limitMs);
}

/**
 * Does something unless it is done, in one process at a time: others wait at the lock, a file, and find it done. While somebody is at it
 * what looks done may be half done, as a package whose programs are unpacked and whose user is not yet added.
 */
export async function oneAtATime(
  lock: string,
  isDone: () => Promise<boolean>,
  act: () => Promise<void>,
  limitMs = defaultLimitMs,
): Promise<void> {
  await mkdir(dirname(lock), { recursive: true });
  for (const until = Date.now() + limitMs; Date.now() < until; await delay(pollMs)) {
    if ((await isDone()) && !(await exists(lock))) return;
    if (!(await acquire(lock))) continue;
    try {
      if (!(await isDone())) await act();
      return;
    } finally {
      await rm(lock, { force: true });
    }
  }
  throw new Error(
    `waited ${Math.round(limitMs / 60_000)} minutes for somebody else; if nobody is at it, remove ${lock}`,
  );
}

/** Takes the lock unless a living process has it. */
async function acquire(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, "wx");
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const holder = Number(await readFile(lock, "utf8").catch(() => ""));
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
