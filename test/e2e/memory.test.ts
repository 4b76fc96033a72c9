import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { forgetPeak, nodeProcesses, residentMemory } from "../support/installation/resident-memory.ts";
import { DigestingSink, type SentMail, sendLong } from "../support/mail/long-mail.ts";

const mebibyte = 1024 * 1024;
const count = 20;

let sink: DigestingSink;
let installation: Installation;
let proxyAddress: string;

beforeAll(async () => {
  sink = await DigestingSink.start();
  installation = await startInstallation({ environment: { OUTBOUND: sink.url } });
  const rest = await installation.rest();
  ({ proxyAddress } = await makeBinding(rest, { real_addresses: [installation.account.username] }));
});
afterAll(async () => {
  await installation?.dispose();
  await sink?.stop();
});

/** All at once; until each has come to the next hop as it was sent. */
async function pass(name: string, messages: number, sizeBytes: number): Promise<void> {
  const sent = new Map<string, SentMail>();
  await Promise.all(
    Array.from({ length: messages }, async (_, number) => {
      sent.set(
        `${name}-${number}`,
        await sendLong(installation.smtpPort, proxyAddress, `${name}-${number}`, sizeBytes),
      );
    }),
  );
  for (const { reply } of sent.values()) expect(reply).toMatch(/^250 /);
  await eventually(() => expect([...sink.digests.keys()]).toEqual(expect.arrayContaining([...sent.keys()])), {
    patienceMs: 240_000,
    restMs: 200,
  });
  for (const [key, { digest }] of sent) expect(sink.digests.get(key)).toBe(digest);
}

test("20 messages of 30 MiB at once arrive as they came, and add at most 100 MiB to any process", async () => {
  for (let round = 0; round < 10; round++) await pass(`small-${round}`, count, 1_000);
  // A process loads no more than its services need: what one long message makes of its heap is no cost of twenty.
  await pass("first", 1, 30 * mebibyte);
  const pids = await nodeProcesses(installation.processes());
  const before = new Map<number, number>();
  for (const pid of pids.keys()) {
    await forgetPeak(pid);
    before.set(pid, (await residentMemory(pid)).nowBytes);
  }
  await pass("long", count, 30 * mebibyte);
  const added = await Promise.all(
    [...pids].map(async ([pid, target]) => {
      const { peakBytes } = await residentMemory(pid);
      return { target, mebibytes: Math.round((peakBytes - (before.get(pid) ?? 0)) / mebibyte) };
    }),
  );
  expect(added.filter(({ mebibytes }) => mebibytes > 100)).toEqual([]);
}, 400_000);
