import { expect, test } from "@jest/globals";
import { inTurn } from "./in-turn.ts";

test("so many run at a time, the next begins when one ends, and each result has its place", async () => {
  const begun: number[] = [];
  const tasks = Array.from({ length: 4 }, () => Promise.withResolvers<string>());
  const running = inTurn(
    tasks.map(({ promise }, index) => () => {
      begun.push(index);
      return promise;
    }),
    2,
  );
  expect(begun).toEqual([0, 1]);
  tasks[1]?.resolve("one");
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual([0, 1, 2]);
  tasks[2]?.resolve("two");
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual([0, 1, 2, 3]);
  tasks[0]?.resolve("zero");
  tasks[3]?.resolve("three");
  expect(await running).toEqual(["zero", "one", "two", "three"]);
});

test("a task that fails fails them all", async () => {
  await expect(inTurn([async () => 1, () => Promise.reject(new Error("broken"))], 2)).rejects.toThrow("broken");
});
