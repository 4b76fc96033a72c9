/**
 * What a forwarded message costs in a fleet, by process: CPU and memory, with more and more processes of those that mail goes through;
 * and by turns with it, what it costs in one process.
 * npm run bench:fleet -- [--size=4096] [--messages=16000] [--rounds=3] [--signing=off,on] [--replicas=1,2,3] [--group=ingress,forwarder,mailbox,bindings | --group=] [--node="--cpu-prof --cpu-prof-dir=/tmp/profiles"]; see bench/README.md.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FleetService, serviceNamed } from "../scripts/fleet/fleet.ts";
import type { ServiceProcess } from "../scripts/fleet/service-process.ts";
import { freePorts } from "../scripts/peers/free-ports.ts";
import { startEmbeddedPostgres } from "../services/platform/db/embedded.ts";
import { startInstallation } from "../test/support/installation/installation.ts";
import { processes } from "../test/support/installation/processes.ts";
import { silentLogger } from "../test/support/peers/database.ts";
import { DnsServer } from "../test/support/peers/dns-server.ts";
import type { ComparedSystem, Signing } from "./forward/compared-system.ts";
import { CountingSink, sendAtMaxRate } from "./forward/max-rate.ts";
import { account, createBinding, startPostern } from "./forward/postern.ts";
import { cpuSecondsByProcess, memoryOf } from "./forward/resources.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "4096" },
    // V8 compiles for longer in five processes than in one, which is no cost of a message: see bench/README.md.
    messages: { type: "string", default: "16000" },
    rounds: { type: "string", default: "3" },
    signing: { type: "string", default: "off,on" },
    replicas: { type: "string", default: "1,2,3" },
    // Those that the chart runs in one deployment; none: each service by itself.
    group: { type: "string", default: "ingress,forwarder,mailbox,bindings" },
    node: { type: "string", default: "" },
  },
});
const bytesPerMebibyte = 1024 * 1024;
const [messages, sizeBytes] = [Number(values.messages), Number(values.size)];
const group = values.group === "" ? [] : values.group.split(",").map(serviceNamed);
const replicaCounts = values.replicas.split(",").map(Number);

/** Those of which there are several, ingress the first. Each reads its share of the events; calls of peers go to the first. */
const replicated = ["ingress", "forwarder", "mailbox"] as const satisfies readonly FleetService[];

/** Which part of the fleet a process is; undefined for the benchmark's own. */
function partOf(command: string): string | undefined {
  if (/^\S*java /.test(command)) return "Kafka";
  if (/^(?:postgres:|\S*postgres )/.test(command)) return "PostgreSQL";
  if (/^\S*redis-server/.test(command)) return "Redis";
  return /node .*dist\/main\.js --target=(\S+)/.exec(command)?.[1];
}

/** One flood: CPU seconds for 1,000 messages, and memory after it, by part. */
async function flood(fleet: ComparedSystem, onePids: readonly number[], sink: CountingSink) {
  const before = cpuSecondsByProcess([process.pid]);
  const { forwardedPerS } = await sendAtMaxRate(fleet, sink, { messages, sizeBytes });
  const after = cpuSecondsByProcess([process.pid]);
  const ofOne = cpuSecondsByProcess(onePids);
  const parts = new Map<string, { cpuSeconds: number; memoryBytes: number }>();
  for (const { pid, command } of await processes()) {
    const part = after.has(pid) && !ofOne.has(pid) ? partOf(command) : undefined;
    if (part === undefined) continue;
    const sum = parts.get(part) ?? { cpuSeconds: 0, memoryBytes: 0 };
    const spent = (after.get(pid) ?? 0) - (before.get(pid) ?? 0);
    sum.cpuSeconds += (spent * 1_000) / messages;
    sum.memoryBytes += memoryOf(pid);
    parts.set(part, sum);
  }
  const cpuSeconds = [...parts.values()].reduce((total, part) => total + part.cpuSeconds, 0);
  return { forwardedPerS, cpuSeconds, parts };
}

async function startAnother(original: ServiceProcess, started: AsyncDisposableStack): Promise<ServiceProcess> {
  const another = started.adopt(await original.another(), async (each) => void (await each.stop()));
  another.start();
  await another.ready();
  return another;
}

type Flooded = Awaited<ReturnType<typeof flood>>;

function report(signing: Signing, replicas: number, { forwardedPerS, cpuSeconds, parts }: Flooded): void {
  const figures = [
    `signing ${signing}, ${replicas} of ${replicated.join(", ")}`,
    `forwarded a second ${forwardedPerS.toFixed(0)}, and by the core that they take ${(1_000 / cpuSeconds).toFixed(0)}`,
    `CPU s for 1,000 ${cpuSeconds.toFixed(2)}`,
  ];
  process.stdout.write(`${figures.join("; ")}\n`);
  for (const [part, { cpuSeconds, memoryBytes }] of [...parts].sort(([a], [b]) => a.localeCompare(b)))
    process.stdout.write(
      `  ${part.padEnd(12)}${cpuSeconds.toFixed(2).padStart(6)}${(memoryBytes / bytesPerMebibyte).toFixed(0).padStart(6)} MiB\n`,
    );
}

/** Of the best round of each: what else runs on the machine can only take away. */
function reportRatio(costs: readonly { fleet: number; one: number }[]): void {
  const [fleet, one] = [Math.min(...costs.map((cost) => cost.fleet)), Math.min(...costs.map((cost) => cost.one))];
  process.stdout.write(
    `least CPU s for 1,000: fleet ${fleet.toFixed(2)}, one process ${one.toFixed(2)}; ratio ${(fleet / one).toFixed(2)}\n`,
  );
}

async function measure(signing: Signing): Promise<void> {
  await using started = new AsyncDisposableStack();
  const [relayPort = 0] = await freePorts(1);
  // Senders are checked by SPF and DMARC: what is asked for is not there, and that is answered at once.
  const dns = started.adopt(await DnsServer.start({}), (each) => each.stop());
  // As durable as that of one process, which the tests' is not.
  const dataDir = started.adopt(await mkdtemp(join(tmpdir(), "postern-bench-")), (each) =>
    rm(each, { recursive: true }),
  );
  const database = started.adopt(await startEmbeddedPostgres({ dataDir, logger: silentLogger }), (each) => each.stop());
  const environment = {
    DATABASE_URL: database.url,
    DNS_SERVERS: dns.address,
    OUTBOUND: `smtp://127.0.0.1:${relayPort}`,
    FORWARD_SIGN: signing === "on" ? "dkim+arc" : "off",
    BOOTSTRAP_USER: account.username,
    BOOTSTRAP_PASSWORD: account.password,
    LOG_LEVEL: "warn",
    NODE_OPTIONS: values.node,
  };
  const installation = started.adopt(await startInstallation({ mode: "fleet", environment, group }), (each) =>
    each.dispose(),
  );
  const alone = await startPostern(relayPort, signing, { environment: { LOG_LEVEL: "warn" } });
  const one = started.adopt(alone, (each) => each.stop());
  const sink = started.adopt(await CountingSink.start(relayPort), (each) => each.stop());
  const originals = [...new Set(replicated.map((service) => installation.process(service)))];
  const further: ServiceProcess[] = [];
  const recipient = await createBinding(installation.url);
  for (const replicas of replicaCounts) {
    while (further.length < (replicas - 1) * originals.length)
      for (const original of originals) further.push(await startAnother(original, started));
    const takers = further.filter(({ options }) => options.target === originals[0]?.options.target);
    const fleet: ComparedSystem = {
      name: "fleet",
      smtpPort: installation.smtpPort,
      furtherSmtpPorts: takers.map((each) => each.port("SMTP_PORT")),
      recipient,
      rootPids: [...installation.processes(), ...further].map(({ pid }) => pid),
      stop: async () => undefined,
    };
    for (const system of [fleet, one]) await sendAtMaxRate(system, sink, { messages, sizeBytes });
    const costs: { fleet: number; one: number }[] = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      const flooded = await flood(fleet, one.rootPids, sink);
      report(signing, replicas, flooded);
      const { cpuSecondsPer1000 } = await sendAtMaxRate(one, sink, { messages, sizeBytes });
      costs.push({ fleet: flooded.cpuSeconds, one: cpuSecondsPer1000 });
    }
    reportRatio(costs);
  }
}

for (const signing of ["off", "on"] as const) if (values.signing.split(",").includes(signing)) await measure(signing);
