import { expect, test } from "@jest/globals";
import { ByteBudget, type Release } from "./byte-budget.ts";

const longMs = 1_000_000;

/** Who was given bytes so far, and what gives them back. */
function taker(budget: ByteBudget) {
  const given: string[] = [];
  const releases = new Map<string, Release>();
  const taking: Promise<void>[] = [];
  return {
    given,
    take(name: string, bytes: number, owner = name) {
      taking.push(
        budget.acquire(bytes, owner, longMs).then((release) => {
          given.push(name);
          if (release) releases.set(name, release);
        }),
      );
    },
    async release(name: string) {
      releases.get(name)?.();
      await new Promise(setImmediate);
    },
    settle: () => new Promise(setImmediate),
    all: () => Promise.all(taking),
  };
}

test("no more is held than the limit, and what waits comes in its order", async () => {
  const budget = new ByteBudget({ limitBytes: 10, shareBytes: 10 });
  const { given, take, release, settle, all } = taker(budget);
  take("a", 6);
  take("b", 6);
  take("c", 2);
  await settle();
  expect(given).toEqual(["a"]);
  expect(budget.tryTake(1, "d")).toBeUndefined();
  await release("a");
  expect(given).toEqual(["a", "b", "c"]);
  await release("b");
  await release("b");
  expect(budget.usedBytes).toBe(2);
  await all();
});

test("an owner whose share is used up lets others pass", async () => {
  const budget = new ByteBudget({ limitBytes: 10, shareBytes: 5 });
  const { given, take, release, settle, all } = taker(budget);
  for (const name of ["a1", "a2", "a3"]) take(name, 3, "a");
  take("b", 5);
  await settle();
  expect(given).toEqual(["a1", "b"]);
  const release2 = budget.tryTake(2, "c");
  expect(release2).toBeDefined();
  release2?.();
  await release("a1");
  expect(given).toEqual(["a1", "b", "a2"]);
  await release("a2");
  await all();
});

test("what is larger than the limit has all of it to itself", async () => {
  const budget = new ByteBudget({ limitBytes: 10, shareBytes: 5 });
  const { given, take, release, settle } = taker(budget);
  take("small", 1);
  take("large", 100);
  await settle();
  expect(given).toEqual(["small"]);
  await release("small");
  expect(given).toEqual(["small", "large"]);
  expect(budget.usedBytes).toBe(10);
});

test("who has waited long enough is no longer in the way", async () => {
  const budget = new ByteBudget({ limitBytes: 10, shareBytes: 10 });
  const release = budget.tryTake(6, "a");
  expect(await budget.acquire(6, "b", 1)).toBeUndefined();
  expect(budget.tryTake(4, "c")).toBeDefined();
  release?.();
  expect(budget.usedBytes).toBe(4);
});
