import { expect, test } from "@jest/globals";
import { createLogger } from "../telemetry/logger.ts";
import { PollingTask } from "./polling-task.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const forEver = 2 ** 30;

test("a wake ends the sleep, and one that comes while it runs is not lost", async () => {
  let rounds = 0;
  const done = Promise.withResolvers<void>();
  const task: PollingTask = new PollingTask({
    name: "test",
    intervalMs: forEver,
    logger,
    run: async () => {
      rounds += 1;
      if (rounds < 3) task.wake();
      else done.resolve();
      return false;
    },
  });
  task.start();
  await done.promise;
  await task.stop();
  expect(rounds).toBe(3);
});

test("while there is more it does not sleep", async () => {
  let left = 5;
  const done = Promise.withResolvers<void>();
  const run = async () => {
    left -= 1;
    if (left === 0) done.resolve();
    return left > 0;
  };
  const task = new PollingTask({ name: "test", intervalMs: forEver, logger, run });
  task.start();
  await done.promise;
  await task.stop();
  expect(left).toBe(0);
});

test("a failed round does not end the task", async () => {
  const rounds: number[] = [];
  const done = Promise.withResolvers<void>();
  const run = async () => {
    rounds.push(rounds.length);
    if (rounds.length < 3) throw new Error("once more");
    done.resolve();
    return false;
  };
  const task = new PollingTask({ name: "test", intervalMs: 1, logger, run });
  task.start();
  await done.promise;
  await task.stop();
  expect(rounds.length).toBeGreaterThanOrEqual(3);
});

test("stop waits for the round in progress", async () => {
  const begun = Promise.withResolvers<void>();
  let isFinished = false;
  const run = async (signal: AbortSignal) => {
    begun.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 20)));
    isFinished = true;
    return false;
  };
  const task = new PollingTask({ name: "test", intervalMs: forEver, logger, run });
  task.start();
  await begun.promise;
  await task.stop();
  expect(isFinished).toBe(true);
});
