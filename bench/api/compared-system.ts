import { cpuSeconds } from "../forward/resources.ts";
import { askFor } from "./load.ts";

/** A server that answers a question, asked in one request or several. */
export interface Contender {
  readonly name: string;
  readonly port: number;
  readonly requests: readonly string[];
  /** The process that it was started as. */
  readonly pid: number;
}

export interface Figures {
  perS: number;
  /** Of the server's own process; PostgreSQL is the same for all and not in it. */
  cpuMsEach: number;
}

const warmUpMs = 4_000;

/** They take turns, and of all rounds the best counts: what else runs on the machine can only take away. */
export async function measure(
  contenders: readonly Contender[],
  rounds: number,
  durationMs: number,
): Promise<Figures[]> {
  for (const contender of contenders) await askFor({ ...contender, durationMs: warmUpMs });
  const figures = contenders.map((): Figures[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, contender] of contenders.entries())
      figures[index]?.push(await measureOnce(contender, durationMs));
  return figures.map((found) => ({
    perS: Math.max(...found.map(({ perS }) => perS)),
    cpuMsEach: Math.min(...found.map(({ cpuMsEach }) => cpuMsEach)),
  }));
}

async function measureOnce(contender: Contender, durationMs: number): Promise<Figures> {
  const [startMs, cpuAtStartS] = [performance.now(), cpuSeconds([contender.pid])];
  const rounds = await askFor({ ...contender, durationMs });
  const [tookS, cpuS] = [(performance.now() - startMs) / 1000, cpuSeconds([contender.pid]) - cpuAtStartS];
  return { perS: rounds / tookS, cpuMsEach: (cpuS * 1000) / rounds };
}

/** A row for each contender; the ratios are to the last one. */
export function table(title: string, contenders: readonly Contender[], figures: readonly Figures[]): string {
  const line = (...cells: string[]) =>
    `${cells.map((cell, at) => (at === 0 ? cell.padEnd(40) : cell.padStart(12))).join("")}\n`;
  const base = figures.at(-1)?.perS ?? 0;
  const rows = contenders.map(({ name }, at) => {
    const { perS = 0, cpuMsEach = 0 } = figures[at] ?? {};
    return line(name, perS.toFixed(0), (perS / base).toFixed(2), cpuMsEach.toFixed(2));
  });
  return `${line(title, "a second", "ratio", "CPU ms each")}${rows.join("")}`;
}
