import type { Latencies } from "./constant-rate.ts";
import type { MaxRateResult, MemoryUse } from "./max-rate.ts";

/** What was measured of one system at one size. */
export interface Measurements extends MaxRateResult, MemoryUse {
  latencies: Latencies;
}

interface Row {
  what: string;
  read(measurements: Measurements): number;
  digits: number;
}

const megabyte = 1024 * 1024;

const rows: readonly Row[] = [
  { what: "250s a second", read: (measurements) => measurements.acceptedPerS, digits: 0 },
  { what: "forwarded a second", read: (measurements) => measurements.forwardedPerS, digits: 0 },
  { what: "CPU seconds per 1,000", read: (measurements) => measurements.cpuSecondsPer1000, digits: 2 },
  { what: "peak memory, MiB", read: (measurements) => measurements.peakMemoryBytes / megabyte, digits: 0 },
  {
    what: "  its rise per 1,000, MiB",
    read: (measurements) => measurements.memoryRiseBytesPer1000 / megabyte,
    digits: 1,
  },
  { what: "at half its own load, a second", read: ({ latencies }) => latencies.perS, digits: 0 },
  { what: "  250 to delivery, p50 ms", read: ({ latencies }) => latencies.p50Ms, digits: 1 },
  { what: "  250 to delivery, p99 ms", read: ({ latencies }) => latencies.p99Ms, digits: 1 },
];

/** A table with a column for each system, and the first by the second. */
export function table(
  title: string,
  [[name, ours], [peerName, peers]]: readonly [[string, Measurements], [string, Measurements]],
): string {
  const line = (what: string, ...cells: string[]) =>
    `${what.padEnd(32)}${cells.map((cell) => cell.padStart(14)).join("")}\n`;
  const body = rows.map(({ what, read, digits }) => {
    const [mine, theirs] = [read(ours), read(peers)];
    return line(what, mine.toFixed(digits), theirs.toFixed(digits), (mine / theirs).toFixed(2));
  });
  return `${line(title, name, peerName, "ratio")}${body.join("")}`;
}
