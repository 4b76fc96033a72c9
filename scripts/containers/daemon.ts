import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Place } from "./places.ts";

const pidsOf = ({ folder }: Place) => join(folder, "pids");
const logsOf = ({ folder }: Place) => join(folder, "logs");
const stopLimitMs = 20_000;

interface Daemon {
  name: string;
  command: readonly string[];
  /** The file that its process id is written into first, of its control group. */
  group: string;
}

/** A process by its number and its beginning: numbers are given out again. */
interface Known {
  pid: number;
  began: string;
}

/** Starts a process that outlives this one, unless it runs already. What it prints goes into a file. */
export async function ensureDaemon(place: Place, { name, command, group }: Daemon): Promise<void> {
  if (await isRunning(place, name)) return;
  const [pids, logs] = [pidsOf(place), logsOf(place)];
  await mkdir(pids, { recursive: true });
  await mkdir(logs, { recursive: true });
  const log = await open(join(logs, `${name}.log`), "a");
  const child = spawn("/bin/sh", ["-c", `echo $$ > '${group}' && exec "$@"`, name, ...command], {
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  await once(child, "spawn").finally(() => log.close());
  child.unref();
  const pid = child.pid ?? 0;
  await writeFile(join(pids, name), JSON.stringify({ pid, began: (await beginning(pid)) ?? "" } satisfies Known));
}

/** The names of all that were started, those that ended by themselves among them. */
export async function daemonNames(place: Place): Promise<string[]> {
  return readdir(pidsOf(place)).catch(() => []);
}

export async function isRunning(place: Place, name: string): Promise<boolean> {
  return (await runningPid(place, name)) !== undefined;
}

export async function stopDaemon(place: Place, name: string): Promise<void> {
  const pid = await runningPid(place, name);
  if (pid !== undefined) {
    process.kill(pid, "SIGTERM");
    for (const until = Date.now() + stopLimitMs; (await isRunning(place, name)) && Date.now() < until; )
      await delay(100);
    if (await isRunning(place, name)) process.kill(pid, "SIGKILL");
  }
  await rm(join(pidsOf(place), name), { force: true });
}

/** The end of what it printed. */
export async function lastWords(place: Place, name: string): Promise<string> {
  return (await readFile(join(logsOf(place), `${name}.log`), "utf8")).slice(-1_500);
}

async function runningPid(place: Place, name: string): Promise<number | undefined> {
  const text = await readFile(join(pidsOf(place), name), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { pid, began } = JSON.parse(text) as Known;
  return (await beginning(pid)) === began ? pid : undefined;
}

/** When a process began, in the kernel's ticks (proc(5), stat, field 22); undefined once it is over. */
async function beginning(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // Its name, the second field, may hold blanks; "Z" has ended and is only not yet asked for.
  const [state, ...rest] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return state === "Z" ? undefined : rest[18];
}
