import type { ComparedSystem } from "./compared-system.ts";
import { type CountingSink, type MaxRateResult, sendAtMaxRate } from "./max-rate.ts";
import { startPostern } from "./postern.ts";

interface FilesRun {
  sizes: readonly number[];
  /** Messages of each flood. */
  messages: number;
  rounds: number;
}

const ways = ["off", "on"] as const;
const warmUp = { messages: 1_500, sizeBytes: 4_096 };

/** Unsigned floods with MESSAGE_FILES off and on in turns, each to a process of its own. @returns lines for people, as they come */
export async function* messageFilesCosts(
  relayPort: number,
  sink: CountingSink,
  { sizes, messages, rounds }: FilesRun,
): AsyncGenerator<string> {
  const running: ComparedSystem[] = [];
  try {
    for (const way of ways) running.push(await startPostern(relayPort, "off", { environment: { MESSAGE_FILES: way } }));
    for (const system of running) await sendAtMaxRate(system, sink, warmUp);
    for (const sizeBytes of sizes) {
      const results = ways.map((): MaxRateResult[] => []);
      for (let round = 0; round < rounds; round += 1)
        for (const [at, system] of running.entries())
          results[at]?.push(await sendAtMaxRate(system, sink, { messages, sizeBytes }));
      for (const [at, way] of ways.entries()) yield line(sizeBytes, way, results[at] ?? []);
    }
  } finally {
    for (const system of running) await system.stop();
  }
}

function line(sizeBytes: number, way: string, results: readonly MaxRateResult[]): string {
  const each = (read: (result: MaxRateResult) => string) => results.map(read).join(", ");
  const cpu = each(({ cpuSecondsPer1000 }) => cpuSecondsPer1000.toFixed(2));
  const forwarded = each(({ forwardedPerS }) => forwardedPerS.toFixed(0));
  return `${sizeBytes / 1024} KiB, files ${way}: ${cpu} s; ${forwarded} forwarded a second`;
}
