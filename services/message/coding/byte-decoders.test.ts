import { expect, test } from "@jest/globals";
import fc from "fast-check";
import MimeNode from "nodemailer/lib/mime-node";
import { LineEndDecoder } from "./line-ends.ts";
import { transferDecoder } from "./transfer-encoding.ts";

/** Decodes bytes that come cut in these places. */
function decode(encoding: string, coded: Buffer | string, cuts: readonly number[] = []): Buffer {
  const bytes = Buffer.from(coded as string, "latin1");
  const decoder = transferDecoder(encoding);
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  // What is written is good until the next call.
  const pieces = places.slice(1).map((to, index) => Buffer.from(decoder.write(bytes.subarray(places[index], to))));
  return Buffer.concat([...pieces, decoder.end()]);
}

const text = (encoding: string, coded: string) => decode(encoding, coded).toString("latin1");

test.each([
  ["a=3Db", "a=b"],
  ["a=3db", "a=b"],
  ["one=\r\ntwo", "onetwo"],
  ["one = \t\r\ntwo", "one two"],
  ["one \t\r\ntwo", "one\r\ntwo"],
  ["one \ntwo=\nthree", "one\ntwothree"],
  ["a=zz=4", "a=zz=4"],
  ["=zz = 1=1 =\t=", "=zz = 1=1 =\t"],
  ["a= b", "a= b"],
  ["a==41", "a=A"],
  ["a=4=41", "a=4A"],
  ["end=", "end"],
  ["end \t", "end"],
  ["a\r b", "a\r b"],
  ["a \r", "a \r"],
  [`a${" ".repeat(3_000)}b`, `a${" ".repeat(3_000)}b`],
])("quoted-printable %j is %j", (coded, expected) => {
  expect(text("quoted-printable", coded)).toBe(expected);
});

test("megabytes without a line's end are decoded as they come", () => {
  const spaces = " ".repeat(2_000_000);
  const cuts = Array.from({ length: 40 }, (_, index) => index * 50_001);
  expect(decode("quoted-printable", `a${spaces}b`, cuts).length).toBe(spaces.length + 2);
  expect(decode("quoted-printable", "=41".repeat(100_000), cuts.slice(0, 5)).equals(Buffer.alloc(100_000, "A"))).toBe(
    true,
  );
});

test.each([
  ["aGVsbG8=", "hello"],
  ["aGVs\r\nbG8=\r\n", "hello"],
  ["aGVsbG8", "hello"],
  ["aGVs*bG8=", "hello"],
  ["aGVsbG8=aGVsbG8=", "hellohello"],
  ["-_-_", "\xfb\xff\xbf"],
  ["a", ""],
  ["====", ""],
])("base64 %j is %j", (coded, expected) => {
  expect(text("base64", coded)).toBe(expected);
});

test.each([
  ["begin 644 hello.txt\r\n%:&5L;&\\\r\n`\r\nend\r\n", "hello"],
  ["begin 644 hello.txt\n%:&5L;&\\\n \nend\n", "hello"],
  ["before\r\nbegin 644 a\r\n%:&5L;&\\\r\nend\r\n%:&5L;&\\\r\n", "hello"],
  ["begin 644 a\r\n!``\r\n", "\0"],
  ["begin 644 a\r\n#", ""],
  [`begin 644 a\r\n${"M".repeat(1_000)}\r\n%:&5L;&\\\r\n`, "hello"],
  ["no beginning", ""],
])("uuencode %j is %j", (coded, expected) => {
  expect(text("x-uuencode", coded)).toBe(expected);
});

test("an encoding that nobody knows, or none, changes nothing", () => {
  for (const encoding of ["", "7bit", "8bit", "binary", "x-unknown"])
    expect(text(encoding, "a=3D\xe4")).toBe("a=3D\xe4");
});

function uuencode(bytes: Buffer): string {
  const letter = (bits: number) => String.fromCharCode(bits === 0 ? 0x60 : bits + 0x20);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 45) {
    const line = bytes.subarray(at, at + 45);
    let coded = letter(line.length);
    for (let from = 0; from < line.length; from += 3) {
      const [a = 0, b = 0, c = 0] = line.subarray(from, from + 3);
      coded += letter(a >> 2) + letter(((a & 3) << 4) | (b >> 4)) + letter(((b & 15) << 2) | (c >> 6)) + letter(c & 63);
    }
    lines.push(coded);
  }
  return ["begin 644 some name", ...lines, "`", "end", ""].join("\r\n");
}

async function quotedPrintable(bytes: Buffer): Promise<string> {
  const node = new MimeNode("application/octet-stream");
  node.setHeader("Content-Transfer-Encoding", "quoted-printable");
  node.setContent(bytes);
  return (await node.build()).toString("latin1").split("\r\n\r\n").slice(1).join("\r\n\r\n").replace(/\r\n$/, "");
}

const bytes = fc.uint8Array({ maxLength: 400 }).map((values) => Buffer.from(values));
const cuts = fc.array(fc.nat(600), { maxLength: 10 });

test("property: what others encode comes out as it was, however it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(bytes, cuts, async (given, places) => {
      const coded: [string, string][] = [
        ["base64", given.toString("base64").replaceAll(/.{76}/g, "$&\r\n")],
        ["x-uuencode", uuencode(given)],
        ["quoted-printable", await quotedPrintable(given)],
      ];
      for (const [encoding, body] of coded) {
        const decoded = decode(
          encoding,
          body,
          places.filter((place) => place <= body.length),
        );
        // A text encoder writes line ends as CR LF.
        if (encoding !== "quoted-printable") expect(decoded.equals(given)).toBe(true);
        else
          expect(
            decoded
              .toString("latin1")
              .replaceAll(/\r\n?|\n/g, "\n")
              .trimEnd(),
          ).toBe(
            given
              .toString("latin1")
              .replaceAll(/\r\n?|\n/g, "\n")
              .trimEnd(),
          );
      }
    }),
  );
});

test("property: whatever the bytes, the cuts make no difference and nothing grows", () => {
  const unit = fc.constantFrom(..."=4Dg \t\r\nb+/-`M");
  const coded = fc.string({ unit, maxLength: 60 });
  fc.assert(
    fc.property(coded, cuts, fc.constantFrom("quoted-printable", "base64", "x-uuencode"), (given, places, encoding) => {
      const whole = decode(encoding, given);
      expect(
        decode(
          encoding,
          given,
          places.filter((place) => place <= given.length),
        ).equals(whole),
      ).toBe(true);
      expect(whole.length).toBeLessThanOrEqual(given.length);
    }),
    { numRuns: 2_000 },
  );
});

test("property: CR LF becomes LF, and nothing else changes, however it is cut", () => {
  const given = fc.string({ unit: fc.constantFrom("\r", "\n", "a"), maxLength: 20 });
  fc.assert(
    fc.property(given, fc.nat(20), (text, cut) => {
      const decoder = new LineEndDecoder();
      const pieces = [text.slice(0, cut), text.slice(cut)].map((piece) => decoder.write(Buffer.from(piece)).toString());
      expect(pieces.join("") + decoder.end().toString()).toBe(text.replaceAll("\r\n", "\n"));
    }),
  );
});
