import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test } from "@jest/globals";
import { jsonOf, sender } from "./send.ts";

/** Answers beside the thread of the test, which is held up. */
const peerSource = `
  const { parentPort } = require("node:worker_threads");
  const server = require("node:http").createServer((request, response) => {
    if (request.url === "/silent") return;
    response.setHeader("content-type", "application/json");
    response.end('"answered"');
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;
const timeoutMs = 300;

async function withPeer(use: (url: string) => Promise<void>): Promise<void> {
  const worker = new Worker(peerSource, { eval: true });
  try {
    const [port] = await once(worker, "message");
    await use(`http://127.0.0.1:${port}`);
  } finally {
    await worker.terminate();
  }
}

/** As a machine does that has too much to do: nothing else runs in this thread. */
function holdUp(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

test("an answer that came in time is read, though its caller was held up for longer than it may take", async () => {
  await withPeer(async (url) => {
    const send = sender();
    const request = { method: "POST", body: "{}", timeoutMs } as const;
    // So that the next one goes out at once, on the same connection.
    await jsonOf(await send(url, { ...request, timeoutMs: 10_000 }));
    const answer = send(url, request);
    await nextTurn();
    holdUp(2 * timeoutMs);
    expect(await jsonOf(await answer)).toBe("answered");
  });
});

test("one that does not come is given up", async () => {
  await withPeer(async (url) => {
    const answer = sender()(`${url}/silent`, { method: "POST", body: "{}", timeoutMs });
    await expect(answer).rejects.toThrow(`no answer within ${timeoutMs} ms`);
  });
});
