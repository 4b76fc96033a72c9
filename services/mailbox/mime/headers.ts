import { isUtf8 } from "node:buffer";
import { storableText } from "../storable-text.ts";
import { decodeEncodedWords } from "./encoded-words.ts";

/** A header field as a reader wants it: unfolded, decoded; the name as the sender spelled it. */
export type Header = readonly [name: string, value: string];

/** RFC 5322 section 2.2: a name of printable ASCII, a colon, the value. */
const headerLine = /^([!-9;-~]+)[ \t]*:(.*)$/s;

/**
 * Reads a raw header line, folded as it came, a character a byte. Raw UTF-8 (RFC 6532) is read as such, other 8-bit bytes as
 * Latin-1. Undefined for a line that is no header.
 */
export function readHeader(line: string): Header | undefined {
  const [, name, value] = headerLine.exec(decodeLine(line)) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const unfolded = value
    .replaceAll(/\r?\n(?=[ \t])/g, "")
    .replaceAll(/[\r\n]+/g, " ")
    .trim();
  return [name, storableText(decodeEncodedWords(unfolded))];
}

function decodeLine(line: string): string {
  const bytes = Buffer.from(line, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : line;
}

/** The one way to write a header's name: `message-ID` and `MESSAGE-ID` are `Message-Id`. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** The value of the last header of a name, compared without case. */
export function lastValue(headers: readonly Header[], name: string): string | undefined {
  return headers.findLast(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1];
}
