import { readFile } from "node:fs/promises";

/** proc_pid_stat(5) counts in hundredths of a second. */
const msPerTick = 10;

/** User and system time of a process with all its threads (proc_pid_stat(5)); undefined where there is no such process or no /proc. */
export async function cpuTimeMs(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(") ") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
