import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { contentLimits } from "../limits.ts";
import type { CompleteBodies } from "../payload/bodies.ts";
import { BudgetExceeded } from "./budget-exceeded.ts";
import { WorkerPool } from "./worker-pool.ts";

const pools: WorkerPool[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

function pool(limits: { heapMb?: number; cpuMs?: number; timeMs?: number } = {}, idleMs = 60_000): WorkerPool {
  const made = new WorkerPool({ size: 1, idleMs, limits: { heapMb: 64, cpuMs: 60_000, timeMs: 120_000, ...limits } });
  pools.push(made);
  return made;
}

/** Completes bodies without any bound of its own. */
function convert(workers: WorkerPool, html: string, text = ""): Promise<CompleteBodies> {
  const unbounded = Number.MAX_SAFE_INTEGER;
  const limits = { ...contentLimits(10), textBytes: unbounded, htmlSteps: unbounded };
  const input = () => ({ limits, text: Buffer.from(text), html: Buffer.from(html) });
  return workers.run("bodies", async () => ({ input: input(), functions: {} }));
}

test("a task that takes too much memory is ended, and the next one is done", async () => {
  const workers = pool();
  await expect(convert(workers, "<b x>".repeat(6_000_000))).rejects.toMatchObject({ kind: "memory" });
  expect(await convert(workers, "<b>hello</b>")).toMatchObject({ text: "hello" });
});

// In a thread this ends the whole process, whatever the limit of its heap: V8 has no way out of the middle of an operation.
test("one operation that takes far more memory than there may be ends the worker alone", async () => {
  const workers = pool();
  await expect(convert(workers, "", '"'.repeat(20_000_000))).rejects.toMatchObject({ kind: "memory" });
  expect(await convert(workers, "<b>hello</b>")).toMatchObject({ text: "hello" });
});

test("a task that takes too much CPU time is ended, and the next one is done", async () => {
  const workers = pool({ cpuMs: 20, heapMb: 512 });
  const error = await convert(workers, "<p>a".repeat(3_000_000)).catch((reason) => reason);
  expect(error).toBeInstanceOf(BudgetExceeded);
  expect(error).toMatchObject({ kind: "cpu" });
  expect(workers.workerCount).toBe(0);
});

test("what a function of the service fails with is what the task fails with", async () => {
  const workers = pool();
  const functions = { read: () => Promise.reject(new Error("connection lost")) };
  const parsing = workers.run("parse", async () => ({ input: contentLimits(10), functions }));
  await expect(parsing).rejects.toThrow("connection lost");
  expect(await convert(workers, "next")).toMatchObject({ text: "next" });
});

const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");

/** Has a first task done, and kills the worker that did it. @returns its process id */
async function killIdle(workers: WorkerPool): Promise<string> {
  const before = new Set(children());
  await convert(workers, "first");
  const [worker = "", ...others] = children().filter((pid) => !before.has(pid));
  expect(others).toEqual([]);
  process.kill(Number(worker), "SIGKILL");
  return worker;
}

test("a worker that ended while it had nothing to do is given no task", async () => {
  const workers = pool({ timeMs: 20_000 });
  const worker = await killIdle(workers);
  while (children().includes(worker)) await delay(5);
  expect(await convert(workers, "next")).toMatchObject({ text: "next" });
  expect(workers.workerCount).toBe(1);
});

test("a task that a worker was given after its end, before that was known, is done by another", async () => {
  const workers = pool({ timeMs: 20_000 });
  const worker = await killIdle(workers);
  // It is dead, and this process has not heard of it.
  while (!/\) [ZX] /.test(readFileSync(`/proc/${worker}/stat`, "utf8")));
  expect(await convert(workers, "next")).toMatchObject({ text: "next" });
  expect(workers.workerCount).toBe(1);
});

test("a task waits its turn before it is given anything, and a worker without one ends", async () => {
  const workers = pool({}, 1);
  let begun = 0;
  const task = () =>
    workers.run("bodies", async () => {
      begun += 1;
      expect(workers.workerCount).toBeLessThanOrEqual(1);
      return { input: { limits: contentLimits(10), text: Buffer.alloc(0), html: Buffer.alloc(0) }, functions: {} };
    });
  await Promise.all([task(), task(), task()]);
  expect(begun).toBe(3);
  while (workers.workerCount > 0) await delay(5);
});
