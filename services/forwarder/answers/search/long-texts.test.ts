import { expect, test } from "@jest/globals";
import { countTurns } from "../../test-support/count-turns.ts";
import { decodedBody } from "./address-search.ts";
import { embeddedFiles } from "./embedded-files.ts";
import { quotedPrintableText } from "./quoted-printable-text.ts";
import { quotedHtml, quotedText, type Region } from "./quoted-regions.ts";

const mib = 1024 * 1024;
/** Of 1 MiB that is read 64 KiB in a turn. */
const fewestTurns = 12;

const line = "Gr\u00fc\u00dfe = x, a line that is longer than 76 characters once it is in quoted-printable, \t\r\n";
const short = Buffer.from(line);
const long = Buffer.from(line.repeat(mib / short.length));

test("other work has turns while a long text is written in quoted-printable, and it is as a short one is", async () => {
  const { result, turns } = await countTurns(async () => quotedPrintableText(long));
  expect(turns).toBeGreaterThan(fewestTurns);
  const once = (await quotedPrintableText(short)).toString("latin1");
  expect(result.toString("latin1") === once.repeat(long.length / short.length)).toBe(true);
});

test.each(["\n", "\r", "\r\n"])("line ends become CRLF once, also where a piece ends: %j", async (lineEnd) => {
  const text = `${"x".repeat(63)}${lineEnd}`.repeat(8_000);
  const written = (await quotedPrintableText(Buffer.from(text))).toString("latin1");
  expect(written === `${"x".repeat(63)}\r\n`.repeat(8_000)).toBe(true);
});

test.each(["x", "=", "\u20ac", " ", "\r"])(
  "a line as long as the text is parted in short ones and read as it was: %j",
  async (unit) => {
    const text = `${unit.repeat(200_000)}y`;
    const written = await quotedPrintableText(Buffer.from(text));
    const lengths = written
      .toString("latin1")
      .split("\r\n")
      .map(({ length }) => length);
    expect(lengths.every((length) => length <= 76)).toBe(true);
    expect((await decodedBody(written, "quoted-printable")).toString() === text.replaceAll("\r", "\r\n")).toBe(true);
  },
);

test.each(["quoted-printable", "base64"])(
  "other work has turns while a long body in %s is decoded",
  async (encoding) => {
    const written = encoding === "base64" ? Buffer.from(long.toString("base64")) : await quotedPrintableText(long);
    const { result, turns } = await countTurns(async () => decodedBody(written, encoding));
    expect(turns).toBeGreaterThan(fewestTurns);
    expect(result.equals(long)).toBe(true);
  },
);

test.each<[string, (text: string) => Region[] | Promise<Region[]>, string, number]>([
  ["plain lines", quotedText, "x y\r\n", 0],
  ["quoted lines", quotedText, "> x y\r\n", mib / 7],
  ["lines with labels", quotedText, "x: y\r\n", 0],
  ["tags", quotedHtml, "<p>x</p>\r\n", 0],
  ["quotations", quotedHtml, "<blockquote>x</blockquote>", mib / 26],
  ["quotations in each other", quotedHtml, "<blockquote>", 1],
])("other work has turns while quotations are looked for in %s", async (_name, quoted, unit, count) => {
  const { result, turns } = await countTurns(async () => quoted(unit.repeat(mib / unit.length)));
  expect(turns).toBeGreaterThan(fewestTurns);
  expect(result).toHaveLength(Math.floor(count));
});

test("other work has turns while files are looked for in a long calendar, and those of a short one are found", async () => {
  const event = (name: string) =>
    `BEGIN:VEVENT\r\nSUMMARY;LANGUAGE=en:x\r\nATTACH;VALUE=BINARY;ENCODING=BASE64:${Buffer.from(name).toString("base64")}\r\nEND:VEVENT\r\n`;
  const plain = "BEGIN:VEVENT\r\nSUMMARY;LANGUAGE=en:x\r\n y\r\nEND:VEVENT\r\n";
  const calendar = `BEGIN:VCALENDAR\r\n${event("first")}${plain.repeat(mib / plain.length)}${event("last")}END:VCALENDAR\r\n`;
  const { result, turns } = await countTurns(async () => {
    const files: string[] = [];
    for await (const file of embeddedFiles(Buffer.from(calendar))) files.push(file.toString());
    return files;
  });
  expect(result).toEqual(["first", "last"]);
  expect(turns).toBeGreaterThan(2 * fewestTurns);
});
