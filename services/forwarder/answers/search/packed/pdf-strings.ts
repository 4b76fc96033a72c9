// Strings of PDF: ISO 32000-1 section 7.3.4.

import { setImmediate as nextTurn } from "node:timers/promises";

const [backslash, opening, closing, less, greater] = [0x5c, 0x28, 0x29, 0x3c, 0x3e];
/** Longer ones are none: what looks like the beginning of a string may be something else. */
const longestString = 65_536;
/** Read in one turn of the event loop, and a string more. */
const turnBytes = 64 * 1024;
const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/** A string, and where it stands. */
interface PdfString {
  readonly from: number;
  readonly to: number;
  /** What it has in it, with its escapes undone. */
  readonly value: Buffer;
}

/**
 * What all strings have in them, one after the other: programs part words wherever letters are moved closer together. In one pass.
 */
export async function pdfText(bytes: Buffer): Promise<Buffer> {
  const values: Buffer[] = [];
  for await (const { value } of pdfStrings(bytes)) values.push(value);
  return Buffer.concat(values);
}

export async function* pdfStrings(bytes: Buffer): AsyncGenerator<PdfString> {
  const text = Buffer.alloc(bytes.length);
  let length = 0;
  for (let [at, turnAt] = [0, turnBytes]; at < bytes.length; ) {
    if (at >= turnAt) {
      await nextTurn();
      turnAt = at + turnBytes;
    }
    const octet = bytes[at];
    const [from, before] = [at, length];
    if (octet === opening) ({ at, length } = literal(bytes, at + 1, text, length));
    else if (octet === less) ({ at, length } = hexadecimal(bytes, at + 1, text, length));
    else at += 1;
    if (length > before) yield { from, to: at, value: text.subarray(before, length) };
  }
}

interface Place {
  /** In what is read. */
  at: number;
  /** Of what is written. */
  length: number;
}

function literal(bytes: Buffer, start: number, text: Buffer, from: number): Place {
  let [depth, length] = [1, from];
  const limit = Math.min(bytes.length, start + longestString);
  for (let at = start; at < limit; ) {
    const octet = bytes[at] as number;
    at += 1;
    if (octet === backslash) ({ at, length } = escaped(bytes, at, text, length));
    else {
      if (octet === opening) depth += 1;
      if (octet === closing) depth -= 1;
      if (depth === 0) return { at, length };
      text[length] = octet;
      length += 1;
    }
  }
  return { at: limit, length };
}

function escaped(bytes: Buffer, at: number, text: Buffer, length: number): Place {
  const [octal] = /^[0-7]{1,3}/.exec(bytes.toString("latin1", at, at + 3)) ?? [];
  if (octal !== undefined) {
    text[length] = Number.parseInt(octal, 8) & 0xff;
    return { at: at + octal.length, length: length + 1 };
  }
  const character = bytes.toString("latin1", at, at + 1);
  // A line end that is not part of the string.
  if (character === "\n" || character === "\r" || character === "") {
    const isPair = character === "\r" && bytes[at + 1] === 0x0a;
    return { at: at + (isPair ? 2 : 1), length };
  }
  text[length] = escapes[character] ?? character.charCodeAt(0);
  return { at: at + 1, length: length + 1 };
}

/** A dictionary begins likewise, with two of these characters. */
function hexadecimal(bytes: Buffer, start: number, text: Buffer, from: number): Place {
  const limit = Math.min(bytes.length, start + longestString);
  let at = start;
  while (at < limit && isHexOrBlank(bytes[at] as number)) at += 1;
  if (bytes[at] !== greater) return { at, length: from };
  const digits = bytes.toString("latin1", start, at).replaceAll(/\s/g, "");
  const decoded = Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex");
  return { at: at + 1, length: from + decoded.copy(text, from) };
}

function isHexOrBlank(octet: number): boolean {
  const letter = octet | 0x20;
  return (octet >= 0x30 && octet <= 0x39) || (letter >= 0x61 && letter <= 0x66) || octet === 0x20 || isLineEnd(octet);
}

function isLineEnd(octet: number): boolean {
  return octet === 0x0a || octet === 0x0d;
}
