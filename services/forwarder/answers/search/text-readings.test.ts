import { expect, test } from "@jest/globals";
import { countTurns } from "../../test-support/count-turns.ts";
import { replaceInHtml } from "./replace-addresses.ts";
import { readingsOf } from "./text-readings.ts";

const readingsAndTurns = (text: string) =>
  countTurns(async () => {
    const readings: string[] = [];
    for await (const reading of readingsOf(text)) readings.push(reading);
    return readings;
  });

/** Each stands over the ends of pieces in some of its repetitions. */
const marked =
  '<p title="a>b">olive&#64;<b>home</b><!-- <x> -->.example %40 &commat; \u{1d41a}\u00ad\u{e0020}x</p>\n<style>p{}</style>';

test("other work has turns within each reading of a long text", async () => {
  const long = marked.repeat(Math.ceil((1024 * 1024) / marked.length));
  const { result: readings, turns } = await readingsAndTurns(long);
  // A reading has one piece in 64 KiB.
  expect(readings.length).toBeGreaterThan(4);
  expect(turns).toBeGreaterThan(16 * 4);
});

test("a long text is read as a short one is", async () => {
  const times = 3 * 64 * 1024;
  const count = Math.ceil(times / marked.length);
  const short = (await readingsAndTurns(marked)).result;
  const long = (await readingsAndTurns(marked.repeat(count))).result;
  expect(long).toHaveLength(short.length);
  for (const [at, reading] of long.entries()) expect(reading === short[at]?.repeat(count)).toBe(true);
});

test("other work has turns while addresses in a long text are replaced, as they are in a short one", async () => {
  const quoted =
    '<a href="mailto:olive%40home.example">olive&#64;<b>home</b>.example</a> olive@home.example x \u{1d41a}\n';
  const replacements = {
    realAddresses: ["olive@home.example"],
    proxyAddress: "shop@proxy.example",
    contacts: new Map(),
  };
  const replaced = (text: string) => countTurns(() => replaceInHtml(`<blockquote>${text}</blockquote>`, replacements));
  const count = Math.ceil((1024 * 1024) / quoted.length);
  const { result, turns } = await replaced(quoted.repeat(count));
  const [, short = ""] = /^<blockquote>(.*)<\/blockquote>$/s.exec((await replaced(quoted)).result) ?? [];
  expect(short).not.toMatch(/olive/);
  expect(result === `<blockquote>${short.repeat(count)}</blockquote>`).toBe(true);
  expect(turns).toBeGreaterThan(16 * 2);
});
