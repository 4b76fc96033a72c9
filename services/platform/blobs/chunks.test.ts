import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { patterned } from "../../../test/support/bytes.ts";
import { chunkBytes, readFirstChunk } from "./chunks.ts";

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer, void> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const pieceSizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 70_000 })), {
  maxLength: 30,
});

test("whatever the pieces, it is the same octets, and all of them where they are 256 KiB at most", async () => {
  await fc.assert(
    fc.asyncProperty(pieceSizes, async (sizes) => {
      const bytes = patterned(sizes.reduce((sum, size) => sum + size, 0));
      const rest = cut(bytes, sizes);
      const beginning = await readFirstChunk(rest);
      expect(beginning.all !== undefined).toBe(bytes.length <= chunkBytes);
      const read = [...(beginning.all ? [beginning.all] : beginning.pieces)];
      for await (const piece of rest) read.push(piece);
      expect(Buffer.concat(read).equals(bytes)).toBe(true);
    }),
  );
});

test("octet by octet it takes no more memory than in long pieces", async () => {
  const beginning = await readFirstChunk(cut(Buffer.alloc(300_000), Array<number>(300_000).fill(1)));
  const pieces = beginning.all ? [beginning.all] : beginning.pieces;
  expect(pieces.length).toBeLessThan(20);
  expect(pieces.slice(1).reduce((sum, { buffer }) => sum + buffer.byteLength, 0)).toBeLessThan(chunkBytes + 32_768);
});
