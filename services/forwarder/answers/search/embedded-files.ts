// Files that are written into texts: data URLs (RFC 2397), values of calendars and business cards (RFC 5545 section 3.1.3, RFC 6350 section
// 6.2.4, RFC 2426 section 2.4.1), S/MIME in PEM (RFC 7468 sections 8 and 9).

import { setImmediate as nextTurn } from "node:timers/promises";
import { decodeCharset } from "../../../message/coding/charset.ts";
import { withoutEntities } from "./address-search.ts";
import { changedInTurns } from "./pieces.ts";

const scheme = "data:";
/** Behind the scheme: what type it is of. Scripts have properties of the same name. */
const urlType = /((?:[\w.+-]{1,127}\/[\w.+-]{1,127})?(?:;[^\s,;"'<>()&]{0,127}){0,9}),/y;
/** What stands before a URL, and behind it again. */
const quotes = ['"', "'", "&quot;", "&apos;", "&#34;", "&#39;", "&#x22;", "&#x27;"];
const unquotedEnd = /[\s"'<>)]|$/g;
const calendarOrCard = /^BEGIN:V(?:CALENDAR|CARD)/im;
/** A line with parameters, and a value that may be a file. */
const property = /^[\w.-]{1,80};((?:"[^"]{0,500}"|[^":]){0,1000}):[ \t]*([\w+/=-]+)/;
const inBase64 = /\bENCODING=(?:B|BASE64)\b/i;
/** Read in one turn of the event loop. */
const turnLines = 1_000;
const armour = /-----BEGIN (PKCS ?#?7|CMS)-----([A-Za-z\d+/=\s]+)-----END \1-----/g;
/** PNG, JPEG, GIF, WebP, sound, films, TIFF, BMP and fonts, by how they begin: what is in them in the open is found around them. */
const media =
  /^(?:89504e47|ffd8ff|47494638|52494646|4f676753|494433|.{8}66747970|49492a00|4d4d002a|424d.{8}00000000|774f4646|774f4632|00010000|4f54544f|1a45dfa3)/;
const beginningLetters = 32;
/** UTF-16 of either order, by its mark or two characters of ASCII. */
const littleEndian = /^(?:\xff\xfe|(?:[\t\n\r -~]\0){2})/;
const bigEndian = /^(?:\xfe\xff|(?:\0[\t\n\r -~]){2})/;

/** Each such file that is no picture, sound, film or font. */
export async function* embeddedFiles(bytes: Buffer): AsyncGenerator<Buffer> {
  const narrow = fromUtf16(bytes);
  if (narrow) yield* embeddedFiles(narrow);
  const mayBeFolded = bytes.includes("BEGIN:V") || bytes.includes("begin:v");
  if (!mayBeFolded && !bytes.includes(scheme) && !bytes.includes("-----BEGIN ")) return;
  const text = bytes.toString("latin1");
  yield* inTurns(armouredFiles(text));
  if (!mayBeFolded || !calendarOrCard.test(text)) return yield* inTurns(filesOfUrls(text));
  const unfolded = await changedInTurns(text, /\r?\n[ \t]/g, (piece) => piece.replaceAll(/\r?\n[ \t]/g, ""));
  yield* filesOfProperties(unfolded);
  yield* inTurns(filesOfUrls(unfolded));
}

/** A text in UTF-16 with an octet for each character: embedded files are written in ASCII. Undefined for other texts. */
function fromUtf16(bytes: Buffer): Buffer | undefined {
  const beginning = bytes.toString("latin1", 0, 4);
  const charset = littleEndian.test(beginning) ? "utf-16le" : bigEndian.test(beginning) ? "utf-16be" : undefined;
  const text = charset && decodeCharset(bytes, charset);
  return text === undefined ? undefined : Buffer.from(text, "latin1");
}

/** Other work has a turn between two. */
async function* inTurns(files: Iterable<Buffer>): AsyncGenerator<Buffer> {
  for (const file of files) {
    yield file;
    await nextTurn();
  }
}

/** What is in PEM; undefined for other files. */
export function withoutArmour(bytes: Buffer): Buffer | undefined {
  const [file] = armouredFiles(bytes.toString("latin1"));
  return file;
}

async function* filesOfProperties(text: string): AsyncGenerator<Buffer> {
  let count = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end;
    const [, parameters = "", letters = ""] = property.exec(text.slice(from, to)) ?? [];
    if (inBase64.test(parameters)) yield* fileOf(letters);
    from = to + 1;
    count += 1;
    if (count % turnLines === 0) await nextTurn();
  }
}

function* filesOfUrls(text: string): Generator<Buffer> {
  for (let at = text.indexOf(scheme); at !== -1; ) {
    urlType.lastIndex = at + scheme.length;
    const type = urlType.exec(text)?.[1];
    const from = type === undefined ? at : urlType.lastIndex;
    const to = type === undefined ? at + scheme.length : urlEnd(text, at, from);
    if (type !== undefined && from < to) yield* fileOfUrl(type, text.slice(from, to));
    at = text.indexOf(scheme, to);
  }
}

function* armouredFiles(text: string): Generator<Buffer> {
  for (const [, , letters = ""] of text.matchAll(armour)) yield Buffer.from(letters, "base64");
}

function* fileOfUrl(type: string, written: string): Generator<Buffer> {
  if (/;base64$/i.test(type)) yield* fileOf(octetsOf(written));
  else yield Buffer.from(octetsOf(written), "latin1");
}

function urlEnd(text: string, begin: number, from: number): number {
  const before = text.slice(Math.max(0, begin - 6), begin).toLowerCase();
  const quote = quotes.find((each) => before.endsWith(each));
  if (quote !== undefined) {
    const end = text.indexOf(quote, from);
    return end === -1 ? text.length : end;
  }
  unquotedEnd.lastIndex = from;
  return unquotedEnd.exec(text)?.index ?? text.length;
}

function octetsOf(written: string): string {
  return withoutEntities(written).replaceAll(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** @param letters in base64 */
function* fileOf(letters: string): Generator<Buffer> {
  const beginning = Buffer.from(letters.slice(0, beginningLetters), "base64").toString("hex");
  if (!media.test(beginning)) yield Buffer.from(letters, "base64");
}
