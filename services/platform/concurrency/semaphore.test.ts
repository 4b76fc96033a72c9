import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { Semaphore } from "./semaphore.ts";

test("so many run at once, in the order they came, and a failure makes room too", async () => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const calls = Array.from({ length: 5 }, (_, number) =>
    semaphore.run(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 1) throw new Error("the second fails");
      return number;
    }),
  );
  const settled = Promise.allSettled(calls);
  for (const atOnce of [2, 4, 5]) {
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4].slice(0, atOnce));
    for (const end of ends.splice(0)) end();
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
});
