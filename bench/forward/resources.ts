import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Linux reports processor time in hundredths of a second. */
const ticksPerSecond = 100;
const sampleMs = 250;
/** Below this share of one processor, what was to be done is done. */
const quietShare = 0.1;
const quietWindowMs = 400;

interface ProcessFacts {
  pid: number;
  parentPid: number;
  /** Its own and that of its children that have ended. */
  cpuTicks: number;
}

/** A file of /proc; undefined once the process has ended. */
function readFact(pid: number | string, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}

function readProcess(pid: string): ProcessFacts | undefined {
  const stat = readFact(pid, "stat");
  if (stat === undefined) return undefined;
  // proc(5): the name, in parentheses, may hold anything; after it come state, ppid … utime, stime, cutime, cstime.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const cpuTicks = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  return { pid: Number(pid), parentPid: Number(fields[1]), cpuTicks };
}

/** The processes given and all that descend from them. */
function family(rootPids: readonly number[]): ProcessFacts[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProcess(pid) ?? []);
  const byParent = Map.groupBy(all, (process) => process.parentPid);
  const found = all.filter((process) => rootPids.includes(process.pid));
  // Grows while it is walked.
  for (const { pid } of found) found.push(...(byParent.get(pid) ?? []));
  return found;
}

/** Processor seconds that each process has used so far. */
export function cpuSecondsByProcess(rootPids: readonly number[]): Map<number, number> {
  return new Map(family(rootPids).map(({ pid, cpuTicks }) => [pid, cpuTicks / ticksPerSecond]));
}

/** Processor seconds used so far. */
export function cpuSeconds(rootPids: readonly number[]): number {
  return family(rootPids).reduce((sum, { cpuTicks }) => sum + cpuTicks, 0) / ticksPerSecond;
}

/** Memory in use, in bytes; what processes share is counted once (proportional set size, proc(5)). */
function memoryBytes(rootPids: readonly number[]): number {
  return family(rootPids).reduce((sum, { pid }) => sum + memoryOf(pid), 0);
}

/** The same of one process. */
export function memoryOf(pid: number): number {
  const rollup = readFact(pid, "smaps_rollup") ?? "";
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
}

/** Until its processes have nothing left to do. */
export async function quiet(rootPids: readonly number[], limitMs: number): Promise<void> {
  for (const until = Date.now() + limitMs; Date.now() < until; ) {
    const before = cpuSeconds(rootPids);
    await delay(quietWindowMs);
    if (cpuSeconds(rootPids) - before < (quietShare * quietWindowMs) / 1_000) return;
  }
}

/** Watches how much memory is in use at most. */
export class MemoryPeak {
  readonly #timer: NodeJS.Timeout;
  readonly startBytes: number;
  peakBytes: number;

  constructor(rootPids: readonly number[]) {
    this.startBytes = memoryBytes(rootPids);
    this.peakBytes = this.startBytes;
    this.#timer = setInterval(() => {
      this.peakBytes = Math.max(this.peakBytes, memoryBytes(rootPids));
    }, sampleMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
