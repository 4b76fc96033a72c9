/**
 * What hostile mail costs the process that it costs most, and how long the mail behind it waits.
 * npm run bench:hostile -- [--mode=single|fleet] [--megabytes=34] [--shapes=EXPRESSION]; see bench/README.md.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { cpuTimeMs } from "../services/mailbox/workers/cpu-time.ts";
import { hostileShapes } from "../test/attacks/support/hostile-shapes.ts";
import { sendPieces } from "../test/attacks/support/send-hostile.ts";
import { eventually } from "../test/support/eventually.ts";
import { callbackTarget } from "../test/support/http/callback-target.ts";
import { makeBinding } from "../test/support/http/rest-bindings.ts";
import { startInstallation } from "../test/support/installation/installation.ts";
import { forgetPeak, nodeProcesses, residentMemory } from "../test/support/installation/resident-memory.ts";
import { DigestingSink } from "../test/support/mail/long-mail.ts";
import { emailIds } from "../test/support/mail/send-mail.ts";

const { values } = parseArgs({
  options: {
    mode: { type: "string", default: "single" },
    megabytes: { type: "string", default: "34" },
    shapes: { type: "string", default: "" },
  },
});
const megabyte = 1_000_000;
const mebibyte = 1024 * 1024;
const msPerSecond = 1_000;
/** Between looks at the workers. */
const lookMs = 20;
const inSeconds = (ms: number) => (ms / msPerSecond).toFixed(2);
/** For what is collected as garbage, and what ends for want of work. */
const restMs = 3_000;
const patience = { patienceMs: 300_000, restMs: 5 };

const sink = await DigestingSink.start();
const target = await callbackTarget();
const installation = await startInstallation({
  mode: values.mode === "fleet" ? "fleet" : "single",
  environment: { OUTBOUND: sink.url, CALLBACK_ALLOW_CIDRS: "127.0.0.0/8" },
});
const rest = await installation.rest();
const { proxyAddress } = await makeBinding(rest, {
  real_addresses: [installation.account.username],
  callback_url: target.url,
  is_browsable: true,
});
const pids = [...(await nodeProcesses(installation.processes())).keys()];

/** Its peak counts from the last call for a process on. */
async function usage(pid: number) {
  const [cpuMs = 0, memory] = [await cpuTimeMs(pid), await residentMemory(pid)];
  await forgetPeak(pid);
  return { cpuMs, ...memory };
}

/** The processes that another one started (proc_pid_task(5)). */
async function children(pid: number): Promise<number[]> {
  const ids = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return ids.split(" ").filter(Boolean).map(Number);
}

/** The CPU time and the peaks of the workers that parse and render, looked at while they live: they may be ended at any moment. */
class WorkerUsage {
  readonly #cpuMs = new Map<number, { first: number; last: number }>();
  readonly #timer = setInterval(() => void this.look(), lookMs);
  peakBytes = 0;

  get cpuMs(): number {
    return [...this.#cpuMs.values()].reduce((sum, { first, last }) => sum + last - first, 0);
  }

  async look(isFirst = false): Promise<void> {
    for (const pid of (await Promise.all(pids.map(children))).flat()) {
      const cpuMs = await cpuTimeMs(pid);
      const memory = await residentMemory(pid).catch(() => undefined);
      if (cpuMs === undefined || !memory) continue;
      const { first } = this.#cpuMs.get(pid) ?? { first: isFirst ? cpuMs : 0 };
      this.#cpuMs.set(pid, { first, last: cpuMs });
      // It has none any more where it has just ended.
      this.peakBytes = Math.max(this.peakBytes, memory.nowBytes || 0);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

async function send(name: string, pieces: Iterable<Buffer>): Promise<string> {
  const named = function* () {
    yield Buffer.from(`X-Name: ${name}\r\n`);
    yield* pieces;
  };
  return sendPieces(installation.smtpPort, proxyAddress, named());
}

const isCalledBack = (emailId: string) => target.received.some(({ body }) => body["id"] === emailId);

async function until(isSo: () => boolean, what: string): Promise<number> {
  await eventually(() => {
    if (!isSo()) throw new Error(`${what} has not come`);
  }, patience);
  return Date.now();
}

async function smallMail(name: string) {
  const reply = await send(name, [Buffer.from("From: ann@example.org\r\nSubject: next\r\n\r\nnext\r\n")]);
  const acceptedAt = Date.now();
  const [emailId = ""] = emailIds(reply);
  const [forwardedAt, calledBackAt] = await Promise.all([
    until(() => sink.digests.has(name), `${name} at the next hop`),
    until(() => isCalledBack(emailId), `the callback of ${name}`),
  ]);
  return { forwardedMs: forwardedAt - acceptedAt, calledBackMs: calledBackAt - acceptedAt };
}

async function measure(name: string, number: number, message: Iterable<Buffer>): Promise<string> {
  await delay(restMs);
  const workers = new WorkerUsage();
  await workers.look(true);
  const before = await Promise.all(pids.map(usage));
  const reply = await send(`hostile-${number}`, message);
  const behind = await smallMail(`next-${number}`);
  const [emailId] = emailIds(reply);
  if (emailId !== undefined) await until(() => isCalledBack(emailId), `the callback of ${name}`);
  const after = await Promise.all(pids.map(usage));
  await workers.look();
  workers.stop();
  const most = (cost: (at: number) => number) => Math.max(...pids.map((_, at) => cost(at)));
  const cells = [
    name,
    emailId === undefined ? reply.slice(0, 9) : "250",
    inSeconds(most((at) => (after[at]?.cpuMs ?? 0) - (before[at]?.cpuMs ?? 0))),
    inSeconds(workers.cpuMs),
    Math.round(most((at) => (after[at]?.peakBytes ?? 0) - (before[at]?.nowBytes ?? 0)) / mebibyte),
    Math.round(workers.peakBytes / mebibyte),
    behind.forwardedMs,
    behind.calledBackMs,
  ];
  return `| ${cells.join(" | ")} |\n`;
}

try {
  for (let warmUp = 0; warmUp < 200; warmUp++) await smallMail(`warm-up-${warmUp}`);
  // What the first long message compiles and loads is no cost of the next.
  for (let warmUp = 0; warmUp < 2; warmUp++)
    await measure("", -1 - warmUp, harmless(Number(values.megabytes) * megabyte));
  process.stdout.write(
    "| shape | answer | CPU s | of workers | peak MiB | worker MiB | next forwarded ms | next called back ms |\n",
  );
  process.stdout.write("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  const benign = { name: "(harmless lines)", message: harmless };
  const shapes = [benign, ...hostileShapes].filter(({ name }) => new RegExp(values.shapes).test(name));
  for (const [number, { name, message }] of shapes.entries())
    process.stdout.write(await measure(name, number, message(Number(values.megabytes) * megabyte)));
} catch (error) {
  process.stderr.write(`${installation.output()}\n`);
  throw error;
} finally {
  await installation.dispose();
  await sink.stop();
  await target.close();
}

function* harmless(sizeBytes: number): Generator<Buffer> {
  yield Buffer.from("From: ann@example.org\r\nSubject: harmless\r\n\r\n");
  const piece = Buffer.from(`${"Lorem ipsum dolor sit amet ".repeat(2)}\r\n`.repeat(1_000));
  for (let sent = 0; sent < sizeBytes; sent += piece.length) yield piece;
}
