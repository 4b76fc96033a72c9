import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { DotUnstuffing } from "./dot-unstuffing.ts";

/** Pushes chunks until the message ends, or all are pushed. */
function unstuffed(chunks: readonly Buffer[]): { content: string; rest: string | undefined; pieceCount: number } {
  const unstuffing = new DotUnstuffing();
  const pieces: Buffer[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const { content, rest } = unstuffing.push(Buffer.from(chunk));
    pieces.push(Buffer.from(content));
    if (!rest) continue;
    const after = Buffer.concat([rest, ...chunks.slice(index + 1)]).toString("latin1");
    return { content: Buffer.concat(pieces).toString("latin1"), rest: after, pieceCount: pieces.length };
  }
  return { content: Buffer.concat(pieces).toString("latin1"), rest: undefined, pieceCount: pieces.length };
}

test("any message, cut anywhere, is what it was before its dots were stuffed", () => {
  const piece = fc.constantFrom("\r\n", ".", "..", "\r", "\n", "\r\n.", "a", "\n.", "\r.", "\r\n..", ".\r", "é");
  const cuts = fc.array(fc.nat(), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), cuts, (pieces, at) => {
      const content = `${pieces.join("")}\r\n`;
      // A dot after LF alone is stuffed as well: readers differ in what a line is.
      const wire = Buffer.from(`${content.replace(/^\./, "..").replaceAll("\n.", "\n..")}.\r\nNOOP\r\n`, "latin1");
      const places = [0, ...at.map((cut) => cut % (wire.length + 1)).sort((a, b) => a - b), wire.length];
      const chunks = places.slice(1).map((to, index) => wire.subarray(places[index], to));
      expect(unstuffed(chunks)).toMatchObject({ content, rest: "NOOP\r\n" });
    }),
    { numRuns: 2_000 },
  );
});

test.each(["\n.\n", "\r.\r", "\n.\r\n", "\r.\r\n", "\r\n.\n", "\r\n.\r", "\r\n.\ra", "\r\n. \r\n"])(
  "%j ends no message, and is content",
  (sequence) => {
    const wire = [...`one${sequence}two\r\n.\r\n`].map((character) => Buffer.from(character));
    expect(unstuffed(wire)).toMatchObject({ content: `one${sequence}two\r\n`, rest: "" });
  },
);

test("an empty message ends with its first line", () => {
  expect(unstuffed([Buffer.from(".\r\n")])).toMatchObject({ content: "", rest: "" });
});

test("a chunk is one piece, however many of its lines begin with a dot", () => {
  const chunks = Array.from({ length: 4 }, () => Buffer.from("..\r\n".repeat(16_000)));
  const { content, pieceCount } = unstuffed([...chunks, Buffer.from(".\r\n")]);
  expect(content).toBe(".\r\n".repeat(64_000));
  expect(pieceCount).toBe(5);
});
