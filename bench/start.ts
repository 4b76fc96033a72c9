/**
 * What each process of a fleet, and one process with all services, takes to be ready, and holds when it has nothing to do.
 * npm run bench:start -- [--idle=20]; see bench/README.md.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startInstallation } from "../test/support/installation/installation.ts";
import { nodeProcesses, residentMemory } from "../test/support/installation/resident-memory.ts";
import { cpuSeconds } from "./forward/resources.ts";

const { values } = parseArgs({
  options: {
    /** Seconds without work before memory is read. */
    idle: { type: "string", default: "20" },
  },
});

const bytesPerMebibyte = 1024 * 1024;

async function measure(mode: "single" | "fleet"): Promise<void> {
  const installation = await startInstallation({ mode });
  try {
    // What the first start made (schemas, topics) is there for the second.
    for (const each of installation.processes()) await each.stop();
    await installation.revive();
    const started = await nodeProcesses(installation.processes());
    const spent = new Map([...started.keys()].map((pid) => [pid, cpuSeconds([pid])]));
    await delay(Number(values.idle) * 1_000);
    for (const [pid, target] of started) {
      const { nowBytes, peakBytes } = await residentMemory(pid);
      const [now, peak] = [nowBytes, peakBytes].map((bytes) => `${Math.round(bytes / bytesPerMebibyte)} MiB`);
      process.stdout.write(
        `${target.padEnd(10)} ${spent.get(pid)?.toFixed(2)} s of CPU, ${now} idle, ${peak} at most\n`,
      );
    }
  } finally {
    await installation.dispose();
  }
}

await measure("fleet");
await measure("single");
