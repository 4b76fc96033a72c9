import { cpuSeconds } from "../forward/resources.ts";
import { askFor } from "./load.ts";

/** A server that answers a question, asked in one request or several. */
interface ComparedSystem {
  readonly name: string;
  readonly port: number;
  readonly requests: readonly string[];
  /** The process that it was started as. */
  readonly pid: number;
}

interface Measurements {
  perS: number;
  /** Of the server's own process; PostgreSQL is the same for all and not in it. */
  cpuMsEach: number;
}

const warmUpMs = 4_000;

/** They take turns, and of all rounds the best counts: what else runs on the machine can only take away. */
export async function measure(
  systems: readonly ComparedSystem[],
  rounds: number,
  durationMs: number,
): Promise<Measurements[]> {
  for (const system of systems) await askFor({ ...system, durationMs: warmUpMs });
  const measurements = systems.map((): Measurements[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, system] of systems.entries()) measurements[index]?.push(await measureOnce(system, durationMs));
  return measurements.map((found) => ({
    perS: Math.max(...found.map(({ perS }) => perS)),
    cpuMsEach: Math.min(...found.map(({ cpuMsEach }) => cpuMsEach)),
  }));
}

async function measureOnce(system: ComparedSystem, durationMs: number): Promise<Measurements> {
  const [startMs, cpuAtStartS] = [performance.now(), cpuSeconds([system.pid])];
  const rounds = await askFor({ ...system, durationMs });
  const [tookS, cpuS] = [(performance.now() - startMs) / 1000, cpuSeconds([system.pid]) - cpuAtStartS];
  return { perS: rounds / tookS, cpuMsEach: (cpuS * 1000) / rounds };
}

/** A row for each system; the ratios are to the last one. */
export function table(
  title: string,
  systems: readonly ComparedSystem[],
  measurements: readonly Measurements[],
): string {
  const line = (...cells: string[]) =>
    `${cells.map((cell, at) => (at === 0 ? cell.padEnd(40) : cell.padStart(12))).join("")}\n`;
  const base = measurements.at(-1) ?? { perS: 0, cpuMsEach: 0 };
  const rows = systems.map(({ name }, at) => {
    const { perS = 0, cpuMsEach = 0 } = measurements[at] ?? {};
    const ratios = [perS / base.perS, cpuMsEach / base.cpuMsEach].map((ratio) => ratio.toFixed(2)) as [string, string];
    return line(name, perS.toFixed(0), ratios[0], cpuMsEach.toFixed(3), ratios[1]);
  });
  return `${line(title, "a second", "ratio", "CPU ms each", "ratio")}${rows.join("")}`;
}
