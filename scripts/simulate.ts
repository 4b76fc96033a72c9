import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Assumptions, type Costs, planFor } from "./simulate/model.ts";

// `npm run simulate -- [--messages=100000] [--assume='{"keptDays":7}']`: what so many messages a second would need, from what a message
// costs as it was measured: scripts/simulate/costs.json, or the file that --costs names. docs/scale.md says what this leaves out.

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "100,1000,10000,100000" },
    costs: { type: "string", default: new URL("simulate/costs.json", import.meta.url).pathname },
    assume: { type: "string", default: "{}" },
  },
});

const bytesPerMegabyte = 1_000_000;
const bytesPerTerabyte = 1e12;
const assumptions: Assumptions = {
  databaseShare: { ingress: 0.4, forwarder: 0.25, mailbox: 0.25, bindings: 0.05, webhook: 0.05 },
  eventsPerMessage: 3,
  eventBytes: 1_024,
  walPerStoredByte: 2.5,
  keptShare: 0.2,
  keptDays: 30,
  utilisation: 0.6,
  eventsPerPartitionPerS: 500,
  walBytesPerSPerDatabase: 200 * bytesPerMegabyte,
  coresPerDatabase: 32,
  ...(JSON.parse(values.assume) as Partial<Assumptions>),
};
const costs = JSON.parse(await readFile(values.costs, "utf8")) as Costs;
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`Measured: ${costs.source}`);
say(`  CPU seconds for 1,000 messages: ${JSON.stringify(costs.cpuSecondsPerThousand)}`);
say(`  bytes in all databases for each message: ${costs.storedBytesPerMessage}`);
say("Assumed: that all grows in step with the messages, that owners can be spread over databases, and");
for (const [name, value] of Object.entries(assumptions)) say(`  ${name}: ${JSON.stringify(value)}`);
for (const messagesPerS of values.messages.split(",").map(Number)) {
  const plan = planFor(costs, assumptions, messagesPerS);
  const all = [...plan.cores.values()].reduce((sum, cores) => sum + cores, 0);
  say(`\n${messagesPerS} messages a second: ${all.toFixed(0)} cores`);
  say(`  kept ${plan.keptPerS.toFixed(0)} a second, released ${plan.releasedPerS.toFixed(0)} a second once forwarded`);
  for (const [part, cores] of plan.cores) say(`  ${part}: ${cores.toFixed(1)} cores`);
  say(`  partitions of a topic: ${plan.partitions}; Kafka ${(plan.busBytesPerS / bytesPerMegabyte).toFixed(1)} MB/s`);
  for (const [service, { cores, walBytesPerS, servers }] of plan.databases) {
    const log = `${(walBytesPerS / bytesPerMegabyte).toFixed(1)} MB/s of log`;
    say(`  PostgreSQL of ${service}: ${cores.toFixed(1)} cores, ${log}, ${servers} servers`);
  }
  say(`  kept after ${assumptions.keptDays} days: ${(plan.storedBytes / bytesPerTerabyte).toFixed(2)} TB`);
}
