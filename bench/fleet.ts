/**
 * What a forwarded message costs in a fleet, by process: CPU and memory.
 * npm run bench:fleet -- [--size=4096] [--messages=2000] [--rounds=2]; see bench/README.md.
 */
import { parseArgs } from "node:util";
import { freePorts } from "../scripts/peers/free-ports.ts";
import { DnsServer } from "../test/support/dns-server.ts";
import { startInstallation } from "../test/support/installation.ts";
import { processes } from "../test/support/processes.ts";
import type { ComparedSystem } from "./forward/compared-system.ts";
import { CountingSink, sendAtMaxRate } from "./forward/max-rate.ts";
import { account, createBinding } from "./forward/postern.ts";
import { cpuSecondsByProcess, memoryOf } from "./forward/resources.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "4096" },
    messages: { type: "string", default: "2000" },
    rounds: { type: "string", default: "2" },
  },
});
const bytesPerMebibyte = 1024 * 1024;
const [messages, sizeBytes] = [Number(values.messages), Number(values.size)];

/** Which part of the fleet a process is; undefined for the benchmark's own. */
function partOf(command: string): string | undefined {
  if (/^\S*java /.test(command)) return "Kafka";
  if (/^(?:postgres:|\S*postgres )/.test(command)) return "PostgreSQL";
  if (/^\S*redis-server/.test(command)) return "Redis";
  return /node services\/main\.ts --target=(\S+)/.exec(command)?.[1];
}

/** One flood: CPU seconds for 1,000 messages, and memory after it, by part. */
async function flood(fleet: ComparedSystem, sink: CountingSink) {
  const before = cpuSecondsByProcess([process.pid]);
  const { forwardedPerS } = await sendAtMaxRate(fleet, sink, { messages, sizeBytes });
  const after = cpuSecondsByProcess([process.pid]);
  const parts = new Map<string, { cpuSeconds: number; memoryBytes: number }>();
  for (const { pid, command } of await processes()) {
    const part = after.has(pid) ? partOf(command) : undefined;
    if (part === undefined) continue;
    const sum = parts.get(part) ?? { cpuSeconds: 0, memoryBytes: 0 };
    const spent = (after.get(pid) ?? 0) - (before.get(pid) ?? 0);
    sum.cpuSeconds += (spent * 1_000) / messages;
    sum.memoryBytes += memoryOf(pid);
    parts.set(part, sum);
  }
  return { forwardedPerS, parts };
}

const [relayPort = 0] = await freePorts(1);
// Senders are checked by SPF and DMARC: what is asked for is not there, and that is answered at once.
const dns = await DnsServer.start({});
const installation = await startInstallation({
  mode: "fleet",
  environment: {
    DNS_SERVERS: dns.address,
    OUTBOUND: `smtp://127.0.0.1:${relayPort}`,
    FORWARD_SIGN: "off",
    BOOTSTRAP_USER: account.username,
    BOOTSTRAP_PASSWORD: account.password,
    LOG_LEVEL: "warn",
  },
});
const sink = await CountingSink.start(relayPort);
try {
  const { url, smtpPort } = installation;
  const rootPids = installation.processes().map(({ pid }) => pid);
  const fleet = { name: "fleet", smtpPort, recipient: await createBinding(url), rootPids, stop: async () => undefined };
  await sendAtMaxRate(fleet, sink, { messages, sizeBytes });
  for (let round = 0; round < Number(values.rounds); round++) {
    const { forwardedPerS, parts } = await flood(fleet, sink);
    const sum = [...parts.values()].reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
    process.stdout.write(`forwarded a second ${forwardedPerS.toFixed(0)}, CPU s for 1,000 ${sum.toFixed(2)}\n`);
    for (const [part, { cpuSeconds, memoryBytes }] of [...parts].sort(([a], [b]) => a.localeCompare(b)))
      process.stdout.write(
        `  ${part.padEnd(12)}${cpuSeconds.toFixed(2).padStart(6)}${(memoryBytes / bytesPerMebibyte).toFixed(0).padStart(6)} MiB\n`,
      );
  }
} finally {
  await sink.stop();
  await installation.dispose();
  await dns.stop();
}
