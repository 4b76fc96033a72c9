/**
 * How long mail takes from its 250 to its delivery beside the costliest queries that the graph lets through, and one that it does not.
 * npm run bench:queries -- [--rate=100] [--seconds=15] [--clients=1] [--rest=0]; see bench/README.md.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePorts } from "../scripts/peers/free-ports.ts";
import { restClient } from "../test/support/http/rest-client.ts";
import { sendAtConstantRate } from "./forward/constant-rate.ts";
import { account, startPostern } from "./forward/postern.ts";
import { RecordingSink } from "./forward/recording-sink.ts";

const { values } = parseArgs({
  options: {
    /** Messages a second, of 4 KiB. */
    rate: { type: "string", default: "100" },
    seconds: { type: "string", default: "15" },
    /** So many ask at once, each its next question once it has an answer. */
    clients: { type: "string", default: "1" },
    /** How long each rests before its next question, in ms. */
    rest: { type: "string", default: "0" },
  },
});

/** Of 0.9 MB, where 256 KiB are read. */
const tooLong = "0.9 MB, refused";
/** Just below the thousand words that a document may have. Each has another name, so that none is known already. */
const documents: Readonly<Record<string, (name: string) => string>> = {
  "120 fragments, each spread in the one before": (name) => {
    const fragments = Array.from({ length: 120 }, (_, at) => `fragment f${at} on Account { ...f${at + 1} }`);
    return `query ${name} { me { ...f0 } } ${fragments.join(" ")} fragment f120 on Account { id }`;
  },
  "a field with two in it, 190 times": (name) => `query ${name} { ${"me { id username } ".repeat(190)} }`,
  [tooLong]: (name) => `query ${name} { ${"me { id } ".repeat(90_000)} }`,
};

const [relayPort = 0] = await freePorts(1);
const postern = await startPostern(relayPort, "off");
try {
  const { token } = await restClient(postern.url, account);
  await row("no query", undefined, token);
  for (const [name, document] of Object.entries(documents)) await row(name, document, token);
} finally {
  await postern.stop();
}

async function row(name: string, document: ((name: string) => string) | undefined, token: string): Promise<void> {
  const sink = await RecordingSink.start(relayPort);
  const stopped = new AbortController();
  const asking = document
    ? Array.from({ length: Number(values.clients) }, (_, client) =>
        ask(document, name !== tooLong, `c${client}`, token, stopped.signal),
      )
    : [];
  const rate = { perS: Number(values.rate), sizeBytes: 4_096, durationS: Number(values.seconds), warmUpS: 3 };
  const startMs = performance.now();
  const { p50Ms, p99Ms } = await sendAtConstantRate(postern, sink, rate);
  stopped.abort();
  const counts = await Promise.all(asking);
  const perS = counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startMs) / 1_000);
  process.stdout.write(
    `${name.padEnd(48)} p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, ${perS.toFixed(1)} queries a second\n`,
  );
  await sink.stop();
}

/** @returns how many were answered: by data, or where they are not let through by a refusal */
async function ask(
  document: (name: string) => string,
  isLetThrough: boolean,
  client: string,
  token: string,
  stopped: AbortSignal,
): Promise<number> {
  let count = 0;
  for (; !stopped.aborted; count++) {
    await delay(Number(values.rest));
    const response = await fetch(`${postern.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", token },
      body: JSON.stringify({ query: document(`${client}_${count}`) }),
    });
    const { data } = (await response.json()) as { data?: unknown };
    if (Boolean(data) !== isLetThrough)
      throw new Error(isLetThrough ? "a query was refused that should be let through" : "a query was let through");
  }
  return count;
}
