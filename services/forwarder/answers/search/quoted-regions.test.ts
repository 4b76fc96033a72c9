import { expect, test } from "@jest/globals";
import { quotedHtml, quotedText } from "./quoted-regions.ts";

const sizeBytes = 500_000;
/** With a time that goes with the square of the length each takes minutes. */
const patienceMs = 30_000;

test.each([
  ["HTML", quotedHtml, "<a "],
  ["HTML", quotedHtml, "<blockquote "],
  ["HTML", quotedHtml, "<p><p><blockquote></blockquote>"],
  ["HTML", quotedHtml, "<a class="],
  ["HTML", quotedHtml, "<a id="],
  ["HTML", quotedHtml, "class="],
  ["HTML", quotedHtml, "id="],
  ["text", quotedText, "________________\n"],
  ["text", quotedText, "> x:\n\n"],
  ["HTML", quotedHtml, "<p>x: y"],
  ["text", quotedText, "x: y\n"],
])("%s: a long one is looked through in a time that goes with its length", async (_name, quoted, unit) => {
  const text = unit.repeat(sizeBytes / unit.length);
  const before = performance.now();
  await quoted(`<blockquote>x</blockquote><a ${text}>`);
  await quoted(text);
  expect(performance.now() - before).toBeLessThan(patienceMs);
});
