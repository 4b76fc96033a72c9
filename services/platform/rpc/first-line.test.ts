import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { firstLine } from "./first-line.ts";

test("however the bytes come, the line and the rest are the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string().map((text) => text.replaceAll("\n", " ")),
      fc.uint8Array(),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      async (line, rest, sizes) => {
        const whole = Buffer.concat([Buffer.from(`${line}\n`), rest]);
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(whole.subarray(at, at + size));
          at += size;
        }
        const found = await firstLine(Readable.from(chunks, { objectMode: false }));
        expect(found.line).toBe(Buffer.from(line).toString("utf8"));
        expect(await buffer(found.rest)).toEqual(Buffer.from(rest));
      },
    ),
  );
});

test("whoever stops reading closes the stream", async () => {
  const stream = Readable.from([Buffer.from("a\nb"), Buffer.from("c"), Buffer.from("d")], { objectMode: false });
  const { rest } = await firstLine(stream);
  await rest.next();
  await rest.return(undefined);
  expect(stream.destroyed).toBe(true);
});

test("a stream without a line is none", async () => {
  await expect(firstLine(Readable.from([Buffer.from("abc")]))).rejects.toThrow("no first line");
});
