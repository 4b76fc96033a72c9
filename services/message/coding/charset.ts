// Charsets of text: RFC 2046 section 4.1.2, names of the Encoding Standard and, for what it leaves out, of iconv. UTF-7 (RFC 2152)
// is read and never written.

import iconv from "iconv-lite";
import { Utf7Decoding } from "./utf7.ts";

/** Makes text of bytes as they stream by. */
export interface TextDecoding {
  write(bytes: Buffer): string;
  /** What was held back. */
  end(): string;
}

/** Those of the Encoding Standard that would be read as something narrower than senders mean by them. */
const meant: ReadonlyMap<string, string> = new Map([
  ["", "utf-8"],
  ["ascii", "utf-8"],
  ["us-ascii", "utf-8"],
  ["ansi_x3.4-1968", "utf-8"],
  ["7bit", "utf-8"],
  ["8bit", "utf-8"],
  ["binary", "utf-8"],
  ["unknown-8bit", "utf-8"],
  ["cp932", "shift_jis"],
  ["cp936", "gb18030"],
  ["cp949", "euc-kr"],
  ["cp950", "big5"],
  ["utf7", "utf-7"],
  ["unicode-1-1-utf-7", "utf-7"],
]);

/** What iconv-lite names beside charsets, punctuation left out as it does. */
const noCharsets = new Set(["hex", "base64", "utf7", "utf7imap", "unicode11utf7"]);

/** Undefined for an unknown charset. */
export function charsetDecoding(charset: string): TextDecoding | undefined {
  const given = charset.trim().toLowerCase();
  const name = meant.get(given) ?? given;
  if (name === "utf-7") return new Utf7Decoding();
  return standardDecoding(name) ?? iconvDecoding(name);
}

/** As `charsetDecoding`; an unknown charset is read as UTF-8. */
export function textDecoding(charset: string | undefined): TextDecoding {
  return charsetDecoding(charset ?? "") ?? (standardDecoding("utf-8") as TextDecoding);
}

/** Decodes bytes that are complete. Undefined for an unknown charset. */
export function decodeCharset(bytes: Buffer, charset: string): string | undefined {
  const decoding = charsetDecoding(charset);
  return decoding && decoding.write(bytes) + decoding.end();
}

function standardDecoding(name: string): TextDecoding | undefined {
  try {
    const decoder = new TextDecoder(name);
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_ENCODING_NOT_SUPPORTED") return undefined;
    throw error;
  }
}

function iconvDecoding(name: string): TextDecoding | undefined {
  if (noCharsets.has(name.replaceAll(/[^a-z0-9]/g, "")) || !iconv.encodingExists(name)) return undefined;
  const decoder = iconv.getDecoder(name);
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? "" };
}
