import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { forgetPeak, nodeProcesses, residentMemory } from "../support/installation/resident-memory.ts";

// The call URL of a recorder takes 10 MiB of anybody: sixty such calls at once must leave the process's memory where it was.

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
}, 180_000);
afterAll(() => installation.dispose());

const mebibyte = 1024 * 1024;
const calls = 60;
const body = Buffer.alloc(10 * mebibyte, "x");

/** Statuses by how many calls had each. */
async function flood(hash: string, sent = body, coding: Record<string, string> = {}): Promise<Record<string, number>> {
  const { port, hostname } = new URL(installation.url);
  const path = `/api/v1/callback/call/${hash}`;
  const statuses = await Promise.all(
    Array.from({ length: calls }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const headers = { ...coding, "content-length": sent.length };
      const call = request({ hostname, port, path, method: "POST", headers, agent: false }, (response) => {
        response.resume().once("end", () => resolve(String(response.statusCode)));
      });
      call.once("error", reject).end(sent);
      return promise;
    }),
  );
  return Object.fromEntries([...Map.groupBy(statuses, (status) => status)].map(([status, of]) => [status, of.length]));
}

/** How much more memory the process had at most while something was done. */
async function addedBytes(task: () => Promise<void>): Promise<number> {
  const [pid = 0] = (await nodeProcesses(installation.processes())).keys();
  await forgetPeak(pid);
  const { nowBytes } = await residentMemory(pid);
  await task();
  return (await residentMemory(pid)).peakBytes - nowBytes;
}

test("60 calls of 10 MiB to a recorder that is none: nothing of them is kept", async () => {
  const added = await addedBytes(async () => {
    expect(await flood("0".repeat(32))).toEqual({ 404: calls });
  });
  expect(added).toBeLessThan(100 * mebibyte);
});

test("60 calls of 10 kB that are inflated to 10 MiB: no more of them are in memory than of others", async () => {
  const rest = await installation.rest();
  const hash = String((await rest.send("POST", "/api/v1/callback")).body?.["id"]);
  const added = await addedBytes(async () => {
    const { 200: taken = 0, ...others } = await flood(hash, gzipSync(body), { "content-encoding": "gzip" });
    expect(taken).toBeGreaterThan(0);
    expect(Object.keys(others).filter((status) => !["429", "503"].includes(status))).toEqual([]);
  });
  expect(added).toBeLessThan(350 * mebibyte);
});

test("60 calls of 10 MiB to one that there is: as many as there is room for are taken, the others are to come again", async () => {
  const rest = await installation.rest();
  const hash = String((await rest.send("POST", "/api/v1/callback")).body?.["id"]);
  const added = await addedBytes(async () => {
    const { 200: taken = 0, ...others } = await flood(hash);
    expect(taken).toBeGreaterThan(0);
    expect(Object.keys(others).filter((status) => !["429", "503"].includes(status))).toEqual([]);
  });
  // Each of three in flight is there as bytes, as base64, as a message between services, and as bytes for PostgreSQL.
  expect(added).toBeLessThan(350 * mebibyte);
});
