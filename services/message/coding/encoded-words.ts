// Encoded-words: RFC 2047, languages of RFC 2231 section 5.

import { Base64Decoder } from "./base64.ts";
import { decodeCharset } from "./charset.ts";

/** `=?charset*language?encoding?`; the text and `?=` follow. */
const opening = /=\?([^?*\s]{1,100})(?:\*[^?\s]{0,100})?\?([bq])\?/iy;

interface EncodedWord {
  readonly charset: string;
  readonly isBase64: boolean;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What was decoded, and how many characters were looked at for it. */
interface DecodedText {
  readonly text: string;
  readonly steps: number;
}

/**
 * Decodes the encoded-words in an unfolded body. White space between two of them goes, and neighbours of one charset are
 * decoded together: some senders part a character, or a group of base64, between two words. Read are also words with blanks or "?"
 * in their text, next to other text, or in quotes. What cannot be decoded stays as it is. The result holds no CR or LF.
 */
export function decodeEncodedWords(body: string): string {
  return decodeCountingSteps(body).text;
}

/** As `decodeEncodedWords`, for tests of what it costs. Exported for tests. */
export function decodeCountingSteps(body: string): DecodedText {
  if (!body.includes("=?")) return { text: withoutLineEnds(body), steps: body.length };
  const finder = new WordFinder(body);
  const words = finder.find();
  let decoded = "";
  let at = 0;
  for (const run of runsOf(body, words)) {
    const [first, last] = [run[0] as EncodedWord, run.at(-1) as EncodedWord];
    const text = decodeRun(run) ?? body.slice(first.start, last.end);
    const between = body.slice(at, first.start);
    decoded += at > 0 && isBlankText(between) ? text : between + text;
    at = last.end;
  }
  return { text: withoutLineEnds(decoded + body.slice(at)), steps: finder.steps + body.length };
}

/** Finds the encoded-words of a body. No search starts before the end of the last match, so all of them together take linear time. */
class WordFinder {
  steps = 0;
  readonly #body: string;
  #opening = -1;
  #closing = -1;

  constructor(body: string) {
    this.#body = body;
  }

  find(): EncodedWord[] {
    const words: EncodedWord[] = [];
    for (let at = this.#nextOpening(0); at < this.#body.length; ) {
      const word = this.#wordAt(at);
      if (word) words.push(word);
      at = this.#nextOpening(word?.end ?? at + 2);
    }
    return words;
  }

  #wordAt(start: number): EncodedWord | undefined {
    opening.lastIndex = start;
    const [whole, charset, encoding] = opening.exec(this.#body) ?? [];
    if (whole === undefined || charset === undefined || encoding === undefined) return undefined;
    this.steps += whole.length;
    const from = start + whole.length;
    const to = this.#nextClosing(from);
    // One that lacks its end goes no further than the next. Padding before "?=" looks like the beginning of another.
    if (to >= this.#body.length || this.#nextOpening(from) < to - 1) return undefined;
    const text = this.#body.slice(from, to);
    return { charset: charset.toLowerCase(), isBase64: /b/i.test(encoding), text, start, end: to + 2 };
  }

  #nextOpening(from: number): number {
    if (this.#opening < from) this.#opening = this.#search("=?", from);
    return this.#opening;
  }

  #nextClosing(from: number): number {
    if (this.#closing < from) this.#closing = this.#search("?=", from);
    return this.#closing;
  }

  /** The length of the body if it is not found. */
  #search(text: string, from: number): number {
    const found = this.#body.indexOf(text, from);
    const at = found === -1 ? this.#body.length : found;
    this.steps += Math.max(0, at - from) + 1;
    return at;
  }
}

/** Words of one charset with nothing but blanks between them. */
function runsOf(body: string, words: readonly EncodedWord[]): EncodedWord[][] {
  const runs: EncodedWord[][] = [];
  let last: EncodedWord | undefined;
  for (const word of words) {
    const isNext = last?.charset === word.charset && isBlankText(body.slice(last.end, word.start));
    if (isNext) runs.at(-1)?.push(word);
    else runs.push([word]);
    last = word;
  }
  return runs;
}

function decodeRun(run: readonly EncodedWord[]): string | undefined {
  const pieces: Buffer[] = [];
  let base64: Base64Decoder | undefined;
  for (const { isBase64, text } of run) {
    base64 = isBase64 ? (base64 ?? new Base64Decoder()) : undefined;
    const bytes = Buffer.from(text, "utf8");
    pieces.push(base64 ? base64.write(bytes) : decodeQ(bytes));
  }
  return decodeCharset(Buffer.concat(pieces), run[0]?.charset ?? "");
}

/** Like quoted-printable, with an underscore for a space (section 4.2). */
function decodeQ(text: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(text.length);
  let size = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] as number;
    const escaped = byte === 0x3d ? hexByte(text.toString("latin1", at + 1, at + 3)) : undefined;
    if (escaped !== undefined) at += 2;
    decoded[size] = escaped ?? (byte === 0x5f ? 0x20 : byte);
    size += 1;
  }
  return decoded.subarray(0, size);
}

function hexByte(digits: string): number | undefined {
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function isBlankText(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!" \t\r\n".includes(text.charAt(at))) return false;
  return true;
}

/** A reader of the decoded text must not take a part of it for another field or line. */
function withoutLineEnds(text: string): string {
  return /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, " ") : text;
}
