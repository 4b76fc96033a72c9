import { readFile, writeFile } from "node:fs/promises";
import type { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { processes } from "./processes.ts";

const bytesPerKibibyte = 1024;

/** How much memory a process uses, and used at most since `forgetPeak` (proc_pid_status(5)). */
export async function residentMemory(pid: number): Promise<{ nowBytes: number; peakBytes: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const bytesOf = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * bytesPerKibibyte;
  return { nowBytes: bytesOf("VmRSS"), peakBytes: bytesOf("VmHWM") };
}

/** From here on the peak is counted again (proc_pid_clear_refs(5)). */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}

/** The Node processes behind those of an installation, which a shell watches over. @throws Error if not each has one */
export async function nodeProcesses(started: readonly ServiceProcess[]): Promise<Map<number, string>> {
  const targets = new Map(started.map(({ pid, options }) => [pid, options.target]));
  const found = (await processes()).filter(
    ({ parentPid, command }) => targets.has(parentPid) && /^\S*node (?:--\S+ )*\S*dist\/main\.js /.test(command),
  );
  if (found.length < targets.size) throw new Error(`${found.length} Node processes are running behind ${targets.size}`);
  return new Map(found.map(({ pid, parentPid }) => [pid, targets.get(parentPid) ?? ""]));
}
