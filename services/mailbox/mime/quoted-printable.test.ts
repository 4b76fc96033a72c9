import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import MimeNode from "nodemailer/lib/mime-node";
import { parseMessage } from "./message.ts";
import { QuotedPrintable } from "./quoted-printable.ts";

function decode(text: string | Buffer, pieceBytes = 7): Promise<Buffer> {
  const bytes = Buffer.from(text as string);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return buffer(Readable.from(pieces, { objectMode: false }).pipe(new QuotedPrintable()));
}

test("whatever an encoder wrote comes out as it went in, wherever it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      async (text, pieceBytes) => {
        const lines = text.replace(/\r\n|\r|\n/g, "\r\n");
        const node = new MimeNode("text/plain; charset=utf-8", { textEncoding: "Q" });
        node.setContent(lines);
        node.setHeader("Content-Transfer-Encoding", "quoted-printable");
        const raw = await buffer(node.createReadStream());
        const body = raw.subarray(raw.indexOf("\r\n\r\n") + 4);
        expect((await decode(body, pieceBytes)).toString().trimEnd()).toBe(Buffer.from(lines).toString().trimEnd());
      },
    ),
  );
});

test.each([
  [
    "soft line breaks join lines, white space after them or before a line's end is none",
    "a =  \r\nb\t \r\nc=\n d=",
    "a b\r\nc d",
  ],
  ["both cases of digits count", "=c3=A9=3D", "é="],
  ["what is no escape stays", "=zz = 1=1 =\t=", "=zz = 1=1 =\t"],
])("%s", async (_, encoded, text) => {
  for (const pieceBytes of [1, 2, 3, 100]) expect((await decode(encoded, pieceBytes)).toString()).toBe(text);
});

test("megabytes without a line's end, of white space above all, are decoded as they come", async () => {
  const spaces = " ".repeat(2_000_000);
  expect((await decode(`a${spaces}b`, 60_000)).length).toBe(spaces.length + 2);
  expect((await decode("=41".repeat(100_000), 1_001)).equals(Buffer.alloc(100_000, "A"))).toBe(true);
  const message = `Content-Transfer-Encoding: quoted-printable\r\n\r\na${spaces}b\r\n`;
  const read = await parseMessage(
    Readable.from([Buffer.from(message)], { objectMode: false }),
    buffer,
    AbortSignal.timeout(30_000),
  );
  expect(read.text?.length).toBeGreaterThan(spaces.length);
});
