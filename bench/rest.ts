/**
 * How many list reads a second REST answers, beside a bare express and pg handler with the same statement.
 * npm run bench:rest -- [--rounds=3] [--seconds=5] [--node=--cpu-prof,…]; see bench/README.md.
 */
import { parseArgs } from "node:util";
import { bindingCount, startBenchInstallation } from "./api/bench-installation.ts";
import { measure, table } from "./api/compared-system.ts";
import { wireRequest } from "./api/load.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "5" },
    /** Options of Postern's node, comma-separated. */
    node: { type: "string", default: "" },
  },
});

const { postern, bare, stop } = await startBenchInstallation(values.node.split(",").filter(Boolean));
try {
  const path = "/api/v1/proxy-bindings";
  const systems = [
    { name: "Postern, REST", ...postern, requests: [wireRequest("GET", path, { token: postern.token })] },
    { name: "express and pg, bare", ...bare, requests: [wireRequest("GET", path, {})] },
  ];
  const measurements = await measure(systems, Number(values.rounds), Number(values.seconds) * 1000);
  process.stdout.write(table(`list of ${bindingCount} bindings`, systems, measurements));
} finally {
  await stop();
}
