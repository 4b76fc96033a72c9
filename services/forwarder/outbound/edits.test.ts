import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { editedPieces, editedStream } from "./edits.ts";

test("a message streams with the same edits as it has in memory, however it is cut", async () => {
  const message = Buffer.from("0123456789abcdef");
  const edit = (from: number, to: number, text: string) => ({ from, to, bytes: Buffer.from(text) });
  const edits = [edit(0, 3, "HEADER"), edit(3, 4, ""), edit(8, 12, "x"), edit(13, 14, "LONGER")];
  const expected = "HEADER4567xcLONGERef";
  expect(Buffer.concat(editedPieces(message, edits)).toString()).toBe(expected);
  for (let bytes = 1; bytes <= message.length; bytes += 1) {
    const chunks = Array.from({ length: Math.ceil(message.length / bytes) }, (_, at) =>
      message.subarray(at * bytes, (at + 1) * bytes),
    );
    expect((await buffer(editedStream(Readable.from(chunks), edits))).toString()).toBe(expected);
  }
});
