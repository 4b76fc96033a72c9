// Values with parameters: RFC 2045 section 5.1; continuations, charsets and languages of RFC 2231; what senders write instead.

import { decodeCharset } from "../coding/charset.ts";
import { decodeEncodedWords } from "../coding/encoded-words.ts";
import { Cursor, isFoldingSpace } from "../cursor.ts";
import { bytesAsText } from "../header/fields.ts";

export interface Parameter {
  /** Its quotes, continuations and "%" undone. */
  readonly bytes: string;
  /** As an extended parameter states it. */
  readonly charset: string | undefined;
}

interface ParameterizedValue {
  /** What stands before the first ";", in lower case, without comments and blanks around it. */
  readonly value: string;
  /** By names in lower case. Of several of a name the first counts, and an extended one (name*) before a plain one. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Characters that were looked at. */
  readonly steps: number;
}

/** A part of a parameter: `name*2*=text` has index 2 and is encoded. */
interface Segment {
  readonly index: number;
  readonly isEncoded: boolean;
  readonly text: string;
}

/** More segments than this are no file name of anybody's. */
const segmentLimit = 1_000;
const segmentName = /^(.+?)\*(?:(\d{1,4})(\*)?)?$/;

/** Parentheses in an unquoted file name belong to it, as in `filename=report (2).pdf`: comments are not used there. */
const isFileName = /^(?:file)?name(?:\*|$)/;

/** @param body unfolded, as bytes. Never fails; takes a time that goes with its length. */
export function parseParameterized(body: string): ParameterizedValue {
  const reader = new ValueReader(body);
  const value = reader.readUpTo(";").toLowerCase();
  const parameters = new Map<string, Parameter>();
  const segments = new Map<string, Segment[]>();
  while (!reader.cursor.isAtEnd) {
    reader.cursor.next();
    const name = reader.readUpTo("=;").toLowerCase();
    if (reader.cursor.peek() !== "=") continue;
    reader.cursor.next();
    const text = reader.readUpTo(";", { hasComments: !isFileName.test(name) });
    const [, base, index, star] = segmentName.exec(name) ?? [];
    if (base !== undefined)
      addSegment(segments, base, {
        index: Number(index ?? 0),
        isEncoded: star !== undefined || index === undefined,
        text,
      });
    else if (name !== "" && !parameters.has(name)) parameters.set(name, { bytes: text, charset: undefined });
  }
  for (const [name, parts] of segments) {
    const joined = joinSegments(parts);
    if (joined !== undefined) parameters.set(name, joined);
  }
  return { value, parameters, steps: reader.cursor.steps };
}

function addSegment(segments: Map<string, Segment[]>, name: string, segment: Segment): void {
  const parts = segments.get(name) ?? [];
  segments.set(name, parts);
  if (parts.length < segmentLimit) parts.push(segment);
}

/** Undefined without a beginning. */
function joinSegments(parts: readonly Segment[]): Parameter | undefined {
  const byIndex = new Map(parts.toReversed().map((part) => [part.index, part]));
  const first = byIndex.get(0);
  if (!first) return undefined;
  const [, charset, begun] = (first.isEncoded && /^([^']*)'[^']*'(.*)$/s.exec(first.text)) || [];
  const pieces = [first.isEncoded ? unescaped(begun ?? first.text) : first.text];
  for (let index = 1; ; index += 1) {
    const part = byIndex.get(index);
    if (!part) break;
    pieces.push(part.isEncoded ? unescaped(part.text) : part.text);
  }
  return { bytes: pieces.join(""), charset: charset || undefined };
}

/** A parameter as a person reads it: in its charset, or as senders write it that know of none. */
export function parameterText(parameter: Parameter | undefined): string | undefined {
  if (!parameter) return undefined;
  const { bytes, charset } = parameter;
  const decoded = charset === undefined ? undefined : decodeCharset(Buffer.from(bytes, "latin1"), charset);
  return decoded ?? decodeEncodedWords(bytesAsText(bytes));
}

/** RFC 2231 section 4: a byte as "%" and two digits. */
function unescaped(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Reads the tokens, quoted strings and comments of a value. */
class ValueReader {
  readonly cursor: Cursor;
  /** Whether the end of a comment was looked for and is missing: then there is none behind it either. */
  #isUnclosed = false;

  constructor(body: string) {
    this.cursor = new Cursor(body);
  }

  /** What stands before one of these characters, without comments, quotes and the blanks around it; those within it are kept. */
  readUpTo(ends: string, { hasComments } = { hasComments: true }): string {
    let text = "";
    while (!this.cursor.isAtEnd) {
      const blanks = this.cursor.takeWhile(isFoldingSpace);
      const character = this.cursor.peek();
      if (character === "" || ends.includes(character)) break;
      if (hasComments && character === "(" && this.#skipComment()) continue;
      if (text !== "") text += blanks;
      text += character === '"' ? this.#readQuoted() : this.#readPlain(ends);
    }
    return text;
  }

  #readPlain(ends: string): string {
    const others = `"(${ends}`;
    const first = this.cursor.next();
    return (
      first + this.cursor.takeWhile((code) => !isFoldingSpace(code) && !others.includes(String.fromCharCode(code)))
    );
  }

  /** A quoted string; one without its end goes on to the end of all. */
  #readQuoted(): string {
    let text = "";
    this.cursor.next();
    while (!this.cursor.isAtEnd) {
      text += this.cursor.takeWhile((code) => code !== 0x22 && code !== 0x5c);
      const character = this.cursor.next();
      if (character === '"') break;
      text += character === "\\" ? this.cursor.next() : character;
    }
    return text;
  }

  /** False if it has no end, and is none. */
  #skipComment(): boolean {
    if (this.#isUnclosed) return false;
    const inner = new Cursor(this.cursor.text, this.cursor.at);
    for (let depth = 0; !inner.isAtEnd; ) {
      const character = inner.next();
      if (character === "\\") inner.next();
      else if (character === "(") depth += 1;
      else if (character === ")") depth -= 1;
      if (depth === 0) {
        this.cursor.jumpTo(inner.at);
        return true;
      }
    }
    this.#isUnclosed = true;
    return false;
  }
}
