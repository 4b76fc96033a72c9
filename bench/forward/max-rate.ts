import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { AttachedProcess } from "../../scripts/peers/attached-process.ts";
import { runCommand } from "../../scripts/peers/command.ts";
import { isListening } from "../../scripts/peers/postfix.ts";
import type { ComparedSystem } from "./compared-system.ts";
import { cpuSeconds, MemoryPeak, quiet } from "./resources.ts";

const limitMs = 120_000;
export const sessionCount = 20;

/** Postfix's smtp-sink: takes messages, throws them away and counts them. */
export class CountingSink {
  readonly #process: AttachedProcess;
  readonly #folder: string;

  private constructor(process: AttachedProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
  }

  static async start(port: number): Promise<CountingSink> {
    const folder = await mkdtemp(join(tmpdir(), "postern-sink-"));
    const command = ["smtp-sink", "-u", "nobody", "-c", `127.0.0.1:${port}`, "1000"];
    const process = await AttachedProcess.start("smtp-sink", join(folder, "count"), command);
    await process.ready(() => isListening(port), limitMs);
    return new CountingSink(process, folder);
  }

  /** Messages so far. */
  async count(): Promise<number> {
    const file = await open(join(this.#folder, "count"));
    const { size } = await file.stat();
    // It writes a line over the last, ended by CR, with every change: "sess=1 quit=0 mesg=17".
    const { buffer } = await file.read({ buffer: Buffer.alloc(256), position: Math.max(0, size - 256) });
    await file.close();
    return Number([...buffer.toString("latin1").matchAll(/mesg=(\d+)\s*\r/g)].at(-1)?.[1] ?? 0);
  }

  /** @throws Error if they do not come in time. */
  async reaches(count: number): Promise<void> {
    for (const until = Date.now() + limitMs; Date.now() < until; await delay(5)) {
      if ((await this.count()) >= count) return;
    }
    throw new Error(`of ${count} messages only ${await this.count()} were forwarded within ${limitMs / 1_000} s`);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** What became of a number of messages that were sent as fast as they were taken. */
export interface MaxRateResult {
  acceptedPerS: number;
  forwardedPerS: number;
  cpuSecondsPer1000: number;
}

export interface MemoryUse {
  peakMemoryBytes: number;
  memoryRiseBytesPer1000: number;
}

/** Sends messages over kept-open sessions as fast as they are taken (Postfix's smtp-source), and waits for all to be forwarded. */
export async function sendAtMaxRate(
  { smtpPort, furtherSmtpPorts = [], recipient, rootPids }: ComparedSystem,
  sink: CountingSink,
  { messages, sizeBytes }: { messages: number; sizeBytes: number },
): Promise<MaxRateResult> {
  const ports = [smtpPort, ...furtherSmtpPorts];
  await quiet(rootPids, limitMs);
  const before = await sink.count();
  const cpuBefore = cpuSeconds(rootPids);
  const startedAt = performance.now();
  await Promise.all(
    ports.map((port, at) => {
      const [s, m] = [share(sessionCount, ports.length, at), share(messages, ports.length, at)];
      const settings = { s, m, l: sizeBytes, f: "sender@sender.example", t: recipient };
      const flags = Object.entries(settings).flatMap(([name, value]) => [`-${name}`, `${value}`]);
      return runCommand("smtp-source", ["-d", ...flags, `127.0.0.1:${port}`], limitMs);
    }),
  );
  const acceptedMs = performance.now() - startedAt;
  await sink.reaches(before + messages);
  const forwardedMs = performance.now() - startedAt;
  await quiet(rootPids, limitMs);
  return {
    acceptedPerS: (messages * 1_000) / acceptedMs,
    forwardedPerS: (messages * 1_000) / forwardedMs,
    cpuSecondsPer1000: ((cpuSeconds(rootPids) - cpuBefore) * 1_000) / messages,
  };
}

/** Of `total` things in `parts` parts, how many are in the one at `at`. */
function share(total: number, parts: number, at: number): number {
  return Math.floor(total / parts) + (at < total % parts ? 1 : 0);
}

/** The same, with an eye on memory: which costs the machine so much, the more processes there are, that nothing else is measured then. */
export async function memoryAtMaxRate(
  system: ComparedSystem,
  sink: CountingSink,
  load: { messages: number; sizeBytes: number },
): Promise<MemoryUse> {
  const memory = new MemoryPeak(system.rootPids);
  try {
    await sendAtMaxRate(system, sink, load);
  } finally {
    memory.stop();
  }
  return {
    peakMemoryBytes: memory.peakBytes,
    memoryRiseBytesPer1000: ((memory.peakBytes - memory.startBytes) * 1_000) / load.messages,
  };
}
