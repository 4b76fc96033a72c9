import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { readingsOf } from "./text-readings.ts";

async function readingsAndTurns(text: string): Promise<{ readings: string[]; turns: number }> {
  let [turns, isDone] = [0, false];
  const others = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  const readings: string[] = [];
  for await (const reading of readingsOf(text)) readings.push(reading);
  isDone = true;
  await others;
  return { readings, turns };
}

/** Each stands over the ends of pieces in some of its repetitions. */
const marked =
  '<p title="a>b">olive&#64;<b>home</b><!-- <x> -->.example %40 &commat; \u{1d41a}\u00ad\u{e0020}x</p>\n<style>p{}</style>';

test("other work has turns within each reading of a long text", async () => {
  const long = marked.repeat(Math.ceil((1024 * 1024) / marked.length));
  const { readings, turns } = await readingsAndTurns(long);
  // A reading has one piece in 64 KiB.
  expect(readings.length).toBeGreaterThan(4);
  expect(turns).toBeGreaterThan(16 * 4);
});

test("a long text is read as a short one is", async () => {
  const times = 3 * 64 * 1024;
  const count = Math.ceil(times / marked.length);
  const short = (await readingsAndTurns(marked)).readings;
  const long = (await readingsAndTurns(marked.repeat(count))).readings;
  expect(long).toHaveLength(short.length);
  for (const [at, reading] of long.entries()) expect(reading === short[at]?.repeat(count)).toBe(true);
});
