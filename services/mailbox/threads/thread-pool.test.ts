import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { contentLimits } from "../limits.ts";
import type { CompleteBodies } from "../payload/bodies.ts";
import { BudgetExceeded } from "./budget.ts";
import { transferable } from "./protocol.ts";
import { ThreadPool } from "./thread-pool.ts";

const pools: ThreadPool[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

function pool(limits: { heapMb?: number; cpuMs?: number } = {}, idleMs = 60_000): ThreadPool {
  const made = new ThreadPool({ size: 1, idleMs, limits: { heapMb: 64, cpuMs: 60_000, timeMs: 120_000, ...limits } });
  pools.push(made);
  return made;
}

/** Completes bodies without any bound of its own. */
function convert(threads: ThreadPool, html: string): Promise<CompleteBodies> {
  const limits = { ...contentLimits(10), htmlSteps: Number.MAX_SAFE_INTEGER };
  const input = () => ({ limits, text: new Uint8Array(), html: transferable(Buffer.from(html)) });
  return threads.run("bodies", async () => ({ input: input(), functions: {} }));
}

test("a task that takes too much memory is ended, and the next one is done", async () => {
  const threads = pool();
  await expect(convert(threads, "<b x>".repeat(6_000_000))).rejects.toMatchObject({ kind: "memory" });
  expect(await convert(threads, "<b>hello</b>")).toMatchObject({ text: "hello" });
});

test("a task that takes too much CPU time is ended, and the next one is done", async () => {
  const threads = pool({ cpuMs: 20, heapMb: 512 });
  const error = await convert(threads, "<p>a".repeat(3_000_000)).catch((reason) => reason);
  expect(error).toBeInstanceOf(BudgetExceeded);
  expect(error).toMatchObject({ kind: "cpu" });
  expect(threads.threadCount).toBe(0);
});

test("what a function of the service fails with is what the task fails with", async () => {
  const threads = pool();
  const functions = { read: () => Promise.reject(new Error("connection lost")) };
  const parsing = threads.run("parse", async () => ({ input: contentLimits(10), functions }));
  await expect(parsing).rejects.toThrow("connection lost");
  expect(await convert(threads, "next")).toMatchObject({ text: "next" });
});

test("a task waits its turn before it is given anything, and a thread without one ends", async () => {
  const threads = pool({}, 1);
  let begun = 0;
  const task = () =>
    threads.run("bodies", async () => {
      begun += 1;
      expect(threads.threadCount).toBeLessThanOrEqual(1);
      return { input: { limits: contentLimits(10), text: new Uint8Array(), html: new Uint8Array() }, functions: {} };
    });
  await Promise.all([task(), task(), task()]);
  expect(begun).toBe(3);
  while (threads.threadCount > 0) await delay(5);
});
