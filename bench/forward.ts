/**
 * How many messages a second are accepted and forwarded, how soon, and at what cost, beside Postfix doing the same.
 * npm run bench:forward -- [--sizes=4096,102400] [--signing=off,on] [--rounds=3] [--messages=4000];
 * with --answers what bindings that answer cost, and answers; see bench/README.md.
 */
import { parseArgs } from "node:util";
import { freePorts } from "../scripts/peers/free-ports.ts";
import { answerCosts } from "./forward/answers.ts";
import type { Contender, Signing } from "./forward/compared-system.ts";
import { paced } from "./forward/constant-rate.ts";
import { CountingSink, type Flooded, flood } from "./forward/max-rate.ts";
import { startOpenDkim } from "./forward/opendkim.ts";
import { startPostern } from "./forward/postern.ts";
import { startAliasPostfix } from "./forward/postfix.ts";
import { NotingSink } from "./forward/recording-sink.ts";
import { type Figures, table } from "./forward/report.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "4096,102400" },
    signing: { type: "string", default: "off,on" },
    rounds: { type: "string", default: "3" },
    /** Of 4 kB in a flood; of 100 kB a third. */
    messages: { type: "string", default: "4000" },
    /** What bindings that answer cost, and answers, instead. */
    answers: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const warmUp = { messages: 3_000, sizeBytes: 4_096 };

async function contenders(relayPort: number, signing: Signing): Promise<Contender[]> {
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
function best(floods: readonly Flooded[]): Flooded {
  const most = (read: (flooded: Flooded) => number) => Math.max(...floods.map(read));
  const least = (read: (flooded: Flooded) => number) => Math.min(...floods.map(read));
  return {
    acceptedPerS: most((flooded) => flooded.acceptedPerS),
    forwardedPerS: most((flooded) => flooded.forwardedPerS),
    cpuSecondsPer1000: least((flooded) => flooded.cpuSecondsPer1000),
    peakMemoryBytes: most((flooded) => flooded.peakMemoryBytes),
    memoryRiseBytesPer1000: most((flooded) => flooded.memoryRiseBytesPer1000),
  };
}

async function withSink(port: number, run: (sink: CountingSink) => Promise<void>): Promise<void> {
  const sink = await CountingSink.start(port);
  await run(sink).finally(() => sink.stop());
}

async function measure(running: readonly Contender[], relayPort: number, sizeBytes: number): Promise<Figures[]> {
  const messages = Math.round(Number(values.messages) / (sizeBytes > 50_000 ? 3 : 1));
  const floods = running.map((): Flooded[] => []);
  await withSink(relayPort, async (sink) => {
    for (let round = 0; round < rounds; round++) {
      for (const [index, contender] of running.entries())
        floods[index]?.push(await flood(contender, sink, { messages, sizeBytes }));
    }
  });
  const figures: Figures[] = [];
  for (const [index, contender] of running.entries()) {
    const flooded = best(floods[index] ?? []);
    const noting = await NotingSink.start(relayPort);
    const pace = { perS: flooded.forwardedPerS / 2, sizeBytes, durationS: 5, warmUpS: 2 };
    const latencies = await paced(contender, noting, pace).finally(() => noting.stop());
    figures.push({ ...flooded, latencies });
  }
  return figures;
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

if (values.answers) await printAnswerCosts();
for (const signing of values.answers ? [] : (values.signing.split(",") as Signing[])) {
  const [relayPort = 0] = await freePorts(1);
  const running = await contenders(relayPort, signing);
  try {
    await withSink(relayPort, async (sink) => {
      for (const contender of running) await flood(contender, sink, warmUp);
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
    for (const contender of running) await contender.stop();
  }
}
