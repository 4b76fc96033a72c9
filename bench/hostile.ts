/**
 * What hostile mail costs the process that it costs most, and how long the mail behind it waits.
 * npm run bench:hostile -- [--mode=single|fleet] [--megabytes=34] [--shapes=EXPRESSION]; see bench/README.md.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hostileShapes } from "../test/attacks/support/hostile-shapes.ts";
import { sendPieces } from "../test/attacks/support/send-hostile.ts";
import { callbackTarget } from "../test/support/callback-target.ts";
import { eventually } from "../test/support/eventually.ts";
import { startInstallation } from "../test/support/installation.ts";
import { DigestingSink } from "../test/support/long-mail.ts";
import { forgetPeak, nodeProcesses, residentMemory } from "../test/support/resident-memory.ts";
import { makeBinding } from "../test/support/rest-bindings.ts";
import { emailIds } from "../test/support/send-mail.ts";

const { values } = parseArgs({
  options: {
    mode: { type: "string", default: "single" },
    megabytes: { type: "string", default: "34" },
    shapes: { type: "string", default: "" },
  },
});
const megabyte = 1_000_000;
const mebibyte = 1024 * 1024;
const ticksPerSecond = 100;
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

/** User and system time of a process (proc_pid_stat(5)), in seconds. */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Its peak counts from the last call for a process on. */
async function usage(pid: number) {
  const [cpuS, memory] = [await cpuSeconds(pid), await residentMemory(pid)];
  await forgetPeak(pid);
  return { cpuS, ...memory };
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
  const before = await Promise.all(pids.map(usage));
  const reply = await send(`hostile-${number}`, message);
  const behind = await smallMail(`next-${number}`);
  const [emailId] = emailIds(reply);
  if (emailId !== undefined) await until(() => isCalledBack(emailId), `the callback of ${name}`);
  const after = await Promise.all(pids.map(usage));
  const most = (cost: (at: number) => number) => Math.max(...pids.map((_, at) => cost(at)));
  const cells = [
    name,
    emailId === undefined ? reply.slice(0, 9) : "250",
    most((at) => (after[at]?.cpuS ?? 0) - (before[at]?.cpuS ?? 0)).toFixed(2),
    Math.round(most((at) => (after[at]?.peakBytes ?? 0) - (before[at]?.nowBytes ?? 0)) / mebibyte),
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
  process.stdout.write("| shape | answer | CPU s | peak MiB | next forwarded ms | next called back ms |\n");
  process.stdout.write("| --- | --- | --- | --- | --- | --- |\n");
  const benign = { name: "(harmless lines)", message: harmless };
  const shapes = [benign, ...hostileShapes].filter(({ name }) => new RegExp(values.shapes).test(name));
  for (const [number, { name, message }] of shapes.entries())
    process.stdout.write(await measure(name, number, message(Number(values.megabytes) * megabyte)));
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
