import { parseArgs } from "node:util";
import { runAlone } from "./support/run/run-alone.ts";

// `npm run soak -- --hours=72 [--mode=fleet|single] [--seed=N] [--period-minutes=10]`: mail comes in while faults drawn from the seed are
// raised, and after each period everything is counted. Exit code 1 if anything was lost or a bound was exceeded.

const { values } = parseArgs({
  options: {
    hours: { type: "string" },
    minutes: { type: "string" },
    mode: { type: "string", default: "fleet" },
    seed: { type: "string" },
    "period-minutes": { type: "string", default: "10" },
    /** Of each process. */
    "memory-mib": { type: "string", default: "512" },
    /** Of tables whose rows are work on its way, all together. */
    "work-mib": { type: "string", default: "256" },
    /** Of all databases, for each email that came. */
    "kib-per-email": { type: "string", default: "64" },
  },
});

const minutes = values.minutes === undefined ? Number(values.hours ?? 1) * 60 : Number(values.minutes);
const options = {
  minutes,
  seed: Number(values.seed ?? Date.now() % 1_000_000_000),
  periodMinutes: Math.min(minutes, Number(values["period-minutes"])),
  bounds: {
    memoryMib: Number(values["memory-mib"]),
    workMib: Number(values["work-mib"]),
    kibPerEmail: Number(values["kib-per-email"]),
  },
};
process.exitCode = await runAlone("test/faults/soak/soak.ts", {
  POSTERN_TEST_MODE: values.mode === "single" ? "single" : "fleet",
  SOAK: JSON.stringify(options),
});
