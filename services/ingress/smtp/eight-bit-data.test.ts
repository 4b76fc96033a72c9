import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { eightBitData } from "./eight-bit-data.ts";

const chunks = fc.array(
  fc.string({ unit: fc.constantFrom("\r", "\n", ".", "a", "\0") }).map((text) => Buffer.from(text)),
  { maxLength: 8 },
);

async function* sourceOf(pieces: readonly Buffer[]) {
  yield* pieces;
}

test("whatever is repaired has no NUL and no CR or LF on its own, and nothing else is changed", async () => {
  await fc.assert(
    fc.asyncProperty(chunks, async (pieces) => {
      const original = Buffer.concat(pieces).toString();
      const repaired = (await buffer(eightBitData(sourceOf(pieces), "repair"))).toString();
      expect(repaired).toBe(original.replaceAll("\0", "").replaceAll(/\r\n|\r|\n/g, "\r\n"));
    }),
  );
});

test("whatever is not refused comes as it was, and has nothing to repair", async () => {
  await fc.assert(
    fc.asyncProperty(chunks, async (pieces) => {
      const original = Buffer.concat(pieces).toString();
      const outcome = buffer(eightBitData(sourceOf(pieces), "refuse"));
      if (original.replaceAll("\r\n", "").match(/[\r\n\0]/)) await expect(outcome).rejects.toThrow("5.6.");
      else expect((await outcome).toString()).toBe(original);
    }),
  );
});
