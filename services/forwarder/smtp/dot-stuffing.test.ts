import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { BareLineEnding, DotStuffing } from "./dot-stuffing.ts";

/** MessageContent without bare CR or LF, dense in what could go wrong. */
const content = fc
  .array(
    fc.oneof(
      fc.constantFrom("\r\n", ".", "\r\n.\r\n", "..", "\r\n."),
      fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => text.replace(/[\r\n]/g, "")),
    ),
  )
  .map((parts) => Buffer.from(parts.join("")));

/** Cuts at arbitrary places, as a stream may. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

function sent(chunks: readonly Buffer[]): string {
  const stuffing = new DotStuffing();
  return (
    Buffer.concat([...chunks.flatMap((chunk) => stuffing.push(chunk)), Buffer.from("")]).toString("latin1") +
    stuffing.end()
  );
}

/** What a receiver makes of it (RFC 5321 section 4.5.2). */
function received(connection: string): string {
  const end = connection.startsWith(".\r\n") ? 0 : connection.indexOf("\r\n.\r\n") + 2;
  expect(connection.slice(end)).toBe(".\r\n");
  return connection.slice(0, end).replace(/(^|\r\n)\./g, "$1");
}

test("what a receiver reads is what was there, however it was cut, its last line ended", () => {
  fc.assert(
    fc.property(content, fc.array(fc.nat(), { maxLength: 5 }), (bytes, places) => {
      const text = bytes.toString("latin1");
      expect(received(sent(cut(bytes, places)))).toBe(text === "" || text.endsWith("\r\n") ? text : `${text}\r\n`);
    }),
    { numRuns: 2_000 },
  );
});

test("a bare CR or LF is never sent, wherever the chunks are cut", () => {
  fc.assert(
    fc.property(
      content,
      fc.constantFrom("\n", "\r", "\n.\r\n", "\r.\r"),
      content,
      fc.array(fc.nat(), { maxLength: 5 }),
      (before, bare, after, places) => {
        const bytes = Buffer.concat([before, Buffer.from("x"), Buffer.from(bare), Buffer.from("x"), after]);
        expect(() => sent(cut(bytes, places))).toThrow(BareLineEnding);
      },
    ),
  );
});
