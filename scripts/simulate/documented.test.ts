import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";

const page = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8");
const costs = JSON.parse(readFileSync(new URL("costs.json", import.meta.url), "utf8")) as {
  cpuSecondsPerThousand: Record<string, number>;
};

test("docs/scale.md says what was measured, and what the simulation makes of it", () => {
  const { cpuSecondsPerThousand: cpu } = costs;
  const all = Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
  expect(page).toContain(`cost ${all.toFixed(2)} seconds of CPU`);
  const first = Math.round((((cpu["ingress"] ?? 0) + (cpu["forwarder"] ?? 0)) / all) * 100);
  expect(page).toContain(`\`ingress\` and \`forwarder\` are ${first} %`);

  const script = new URL("../simulate.ts", import.meta.url).pathname;
  const printed = execFileSync(process.execPath, [script, "--messages=100000"], { encoding: "utf8" });
  const found = (pattern: RegExp) => Number(pattern.exec(printed)?.[1]);
  const servers = (service: string) => found(new RegExp(`PostgreSQL of ${service}: .*, (\\d+) servers`));
  const cores = found(/: (\d+) cores$/m).toLocaleString("en");
  expect(page).toContain(`${cores} cores, ${found(/partitions of a topic: (\d+)/)} partitions`);
  expect([servers("forwarder"), servers("bindings")]).toEqual([servers("mailbox"), servers("webhook")]);
  const spread = `ingress: ${servers("ingress")}, for forwarder and mailbox: ${servers("mailbox")} each, for the others: ${servers("webhook")} each`;
  expect(page).toContain(spread);
});
