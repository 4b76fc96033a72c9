/**
 * How many messages a second are accepted and forwarded, how soon, and at what cost, beside Postfix doing the same.
 * npm run bench:forward -- [--sizes=4096,102400] [--signing=off,on] [--rounds=3] [--messages=4000];
 * with --answers what bindings that answer cost, and answers; with --files what MESSAGE_FILES saves; see bench/README.md.
 */
import { parseArgs } from "node:util";
import { freePorts } from "../scripts/peers/free-ports.ts";
import { answerCosts } from "./forward/answers.ts";
import type { ComparedSystem, Signing } from "./forward/compared-system.ts";
import { sendAtConstantRate } from "./forward/constant-rate.ts";
import {
  CountingSink,
  type MaxRateResult,
  type MemoryUse,
  memoryAtMaxRate,
  sendAtMaxRate,
} from "./forward/max-rate.ts";
import { messageFilesCosts } from "./forward/message-files.ts";
import { startOpenDkim } from "./forward/opendkim.ts";
import { startPostern } from "./forward/postern.ts";
import { startAliasPostfix } from "./forward/postfix.ts";
import { RecordingSink } from "./forward/recording-sink.ts";
import { type Measurements, table } from "./forward/report.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "4096,102400" },
    signing: { type: "string", default: "off,on" },
    rounds: { type: "string", default: "3" },
    /** Of 4 kB at the maximal rate; of 100 kB a third. */
    messages: { type: "string", default: "4000" },
    /** What bindings that answer cost, and answers, instead. */
    answers: { type: "boolean", default: false },
    /** Postern with and without MESSAGE_FILES, instead. */
    files: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const warmUp = { messages: 3_000, sizeBytes: 4_096 };

async function startSystems(relayPort: number, signing: Signing): Promise<ComparedSystem[]> {
  const postern = await startPostern(relayPort, signing);
  if (signing === "off") return [postern, await startAliasPostfix(relayPort)];
  const milter = await startOpenDkim();
  const postfix = await startAliasPostfix(relayPort, milter.port);
  const stop = async () => {
    await postfix.stop();
    await milter.stop();
  };
  return [postern, { ...postfix, name: "and OpenDKIM", rootPids: [...postfix.rootPids, milter.pid], stop }];
}

/** The best round: what else runs on the machine can only take away. */
function best(results: readonly MaxRateResult[]): MaxRateResult {
  const most = (read: (atMaxRate: MaxRateResult) => number) => Math.max(...results.map(read));
  const least = (read: (atMaxRate: MaxRateResult) => number) => Math.min(...results.map(read));
  return {
    acceptedPerS: most((atMaxRate) => atMaxRate.acceptedPerS),
    forwardedPerS: most((atMaxRate) => atMaxRate.forwardedPerS),
    cpuSecondsPer1000: least((atMaxRate) => atMaxRate.cpuSecondsPer1000),
  };
}

async function withSink(port: number, run: (sink: CountingSink) => Promise<void>): Promise<void> {
  const sink = await CountingSink.start(port);
  await run(sink).finally(() => sink.stop());
}

async function measure(
  running: readonly ComparedSystem[],
  relayPort: number,
  sizeBytes: number,
): Promise<Measurements[]> {
  const messages = Math.round(Number(values.messages) / (sizeBytes > 50_000 ? 3 : 1));
  const load = { messages, sizeBytes };
  const results = running.map((): MaxRateResult[] => []);
  const memories: MemoryUse[] = [];
  await withSink(relayPort, async (sink) => {
    for (let round = 0; round < rounds; round++) {
      for (const [index, system] of running.entries()) results[index]?.push(await sendAtMaxRate(system, sink, load));
    }
    for (const system of running) memories.push(await memoryAtMaxRate(system, sink, load));
  });
  const measurements: Measurements[] = [];
  for (const [index, system] of running.entries()) {
    const atMaxRate = best(results[index] ?? []);
    const memory = memories[index];
    if (!memory) throw new Error(`nothing was measured of ${system.name}`);
    const recording = await RecordingSink.start(relayPort);
    const rate = { perS: atMaxRate.forwardedPerS / 2, sizeBytes, durationS: 5, warmUpS: 2 };
    const latencies = await sendAtConstantRate(system, recording, rate).finally(() => recording.stop());
    measurements.push({ ...atMaxRate, ...memory, latencies });
  }
  return measurements;
}

async function printAnswerCosts(): Promise<void> {
  const [relayPort = 0] = await freePorts(1);
  await withSink(relayPort, async (sink) => {
    const sizeBytes = 4_096;
    const costs = await answerCosts(relayPort, sink, { messages: Number(values.messages), rounds, sizeBytes });
    const line = (name: string, cost: number) =>
      `${name}: ${cost.toFixed(2)} s, ${(cost / costs.forward).toFixed(2)} times a forward\n`;
    process.stdout.write("CPU for 1,000 messages of 4 KiB, signed\n");
    process.stdout.write(line("forward", costs.forward));
    process.stdout.write(line("forward of a binding that answers", costs.answeringForward));
    process.stdout.write(line("answer", costs.answer));
  });
}

async function printMessageFilesCosts(): Promise<void> {
  const [relayPort = 0] = await freePorts(1);
  await withSink(relayPort, async (sink) => {
    const run = { sizes: values.sizes.split(",").map(Number), messages: Number(values.messages), rounds };
    for await (const line of messageFilesCosts(relayPort, sink, run)) process.stdout.write(`${line}\n`);
  });
}

if (values.answers) await printAnswerCosts();
if (values.files) await printMessageFilesCosts();
for (const signing of values.answers || values.files ? [] : (values.signing.split(",") as Signing[])) {
  const [relayPort = 0] = await freePorts(1);
  const running = await startSystems(relayPort, signing);
  try {
    await withSink(relayPort, async (sink) => {
      for (const system of running) await sendAtMaxRate(system, sink, warmUp);
    });
    for (const size of values.sizes.split(",")) {
      const [ours, peers] = await measure(running, relayPort, Number(size));
      const title = `${Math.round(Number(size) / 1024)} KiB, signing ${signing}`;
      const names = running.map(({ name }) => name);
      if (ours && peers)
        process.stdout.write(
          `${table(title, [
            [names[0] ?? "", ours],
            [names[1] ?? "", peers],
          ])}\n`,
        );
    }
  } finally {
    for (const system of running) await system.stop();
  }
}
