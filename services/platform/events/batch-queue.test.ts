import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createLogger } from "../telemetry/logger.ts";
import { BatchQueue, batchLimit } from "./batch-queue.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });

test("what is pushed is processed once, in order, in batches within the limit", async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: batchLimit }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sizes, async (given) => {
      const batches: number[][] = [];
      const queue = new BatchQueue<number>({
        name: "test",
        logger,
        process: async (batch) => {
          await Promise.resolve();
          batches.push([...batch]);
        },
      });
      let next = 0;
      const parts = given.map((size) => Array.from({ length: size }, () => next++));
      await Promise.all(parts.map((part) => queue.push(part)));
      expect(batches.flat()).toEqual(parts.flat());
      expect(Math.max(0, ...batches.map((batch) => batch.length))).toBeLessThanOrEqual(batchLimit);
    }),
  );
});

test("what gathers while a batch is processed becomes one batch", async () => {
  const batches: number[][] = [];
  const first = Promise.withResolvers<void>();
  const queue = new BatchQueue<number>({
    name: "test",
    logger,
    process: async (batch) => {
      batches.push([...batch]);
      if (batches.length === 1) await first.promise;
    },
  });
  const pushed = [1, 2, 3].map((item) => queue.push([item]));
  first.resolve();
  await Promise.all(pushed);
  expect(batches).toEqual([[1], [2, 3]]);
});

test("an item pushed by the caller that waited for the last one is not left lying", async () => {
  const batches: number[][] = [];
  const queue = new BatchQueue<number>({
    name: "test",
    logger,
    process: async (batch) => void batches.push([...batch]),
  });
  for (let item = 0; item < 20; item++) await queue.push([item]);
  expect(batches.flat()).toEqual(Array.from({ length: 20 }, (_, item) => item));
});

test("a stop lets the batch in progress end and refuses the rest", async () => {
  const inHand = Promise.withResolvers<void>();
  const queue = new BatchQueue<number>({ name: "test", logger, process: () => inHand.promise });
  const pushed = [queue.push([1]), queue.push([2])];
  const outcomes = Promise.allSettled(pushed);
  const stopped = queue.stop();
  inHand.resolve();
  await stopped;
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await expect(queue.push([3])).rejects.toThrow("aborted");
});

test("a failure of the process itself keeps the batch, and tries it again", async () => {
  let tries = 0;
  const queue = new BatchQueue<number>({
    name: "test",
    logger,
    process: async () => {
      tries += 1;
      if (tries === 1) throw new Error("a bug");
    },
  });
  await queue.push([1]);
  expect(tries).toBe(2);
});
