// Header fields: RFC 5322 sections 2.2, 3.6.5 and 4.5, RFC 2047, RFC 6532 section 3.

import { isUtf8 } from "node:buffer";
import { decodeEncodedWords } from "../coding/encoded-words.ts";
import { isBlank, isFoldingSpace } from "../cursor.ts";

const lineEnd = "\r\n";

/** A header field exactly as in the message: its strings are Latin-1, a character a byte. */
export interface HeaderField {
  /** In lower case; empty for a beginning of a section that is no field. */
  readonly name: string;
  /** The whole field, folded as it came, without the end of its last line. */
  readonly raw: string;
}

/** A field of our own. @param value as bytes, folded where it has to be */
export function headerField(name: string, value: string): HeaderField {
  return { name: name.toLowerCase(), raw: `${name}: ${value}` };
}

/**
 * The fields of a header section, each with all of its bytes. A name may be parted from its colon by blanks (section 4.5.8)
 * and by folds, which unfolding takes away before anybody looks for the colon. What begins no field belongs to the field
 * before it: so verifiers of signatures read it.
 */
export function parseFields(section: Buffer): HeaderField[] {
  return new FieldReader(section).read();
}

/** Reads a header section in a time that goes with its length: tests hold it to that by its steps. Exported for tests. */
export class FieldReader {
  readonly #text: string;
  #steps = 0;

  constructor(section: Buffer) {
    this.#text = section.toString("latin1");
  }

  /** Characters looked at so far. */
  get steps(): number {
    return this.#steps;
  }

  read(): HeaderField[] {
    const text = this.#text;
    const fields: HeaderField[] = [];
    let from = 0;
    let name = "";
    for (let at = 0; at < text.length; at = this.#nextLine(at)) {
      const begun = this.#fieldNameAt(at);
      if (begun === undefined) continue;
      if (at > from) fields.push({ name, raw: withoutLineEnd(text.slice(from, at)) });
      from = at;
      name = begun;
    }
    if (text.length > from) fields.push({ name, raw: withoutLineEnd(text.slice(from)) });
    return fields;
  }

  #nextLine(at: number): number {
    const end = this.#text.indexOf("\n", at);
    const next = end === -1 ? this.#text.length : end + 1;
    this.#steps += next - at;
    return next;
  }

  /** The name of the field that begins here, in lower case; undefined if none does. */
  #fieldNameAt(from: number): string | undefined {
    const text = this.#text;
    let end = from;
    while (isFieldText(text.charCodeAt(end))) end += 1;
    let colon = end;
    while (end > from && isFoldingSpace(text.charCodeAt(colon))) {
      // After a line end without a blank another line begins, which is not part of this field.
      if (text.charCodeAt(colon) === 0x0a && !isBlank(text.charCodeAt(colon + 1))) break;
      colon += 1;
    }
    this.#steps += colon - from + 1;
    return end > from && text[colon] === ":" ? text.slice(from, end).toLowerCase() : undefined;
  }
}

/** Printable ASCII without the colon (section 3.6.8, ftext). */
function isFieldText(code: number): boolean {
  return code > 0x20 && code < 0x7f && code !== 0x3a;
}

function withoutLineEnd(lines: string): string {
  if (!lines.endsWith("\n")) return lines;
  return lines.slice(0, lines.endsWith(lineEnd) ? -2 : -1);
}

/** A header section with these fields. */
export function serializeFields(fields: readonly HeaderField[]): string {
  return fields.map(({ raw }) => raw + lineEnd).join("");
}

/** The fields of a name, top to bottom. @param name in lower case */
export function fieldsNamed(fields: readonly HeaderField[], name: string): HeaderField[] {
  return fields.filter((candidate) => candidate.name === name);
}

/** The name as the sender spelled it. */
export function spelledName({ raw, name }: HeaderField): string {
  return raw.slice(0, name.length);
}

/** What follows the colon, folded as it came; of what is no field, all of it. */
export function foldedBody({ name, raw }: HeaderField): string {
  return name === "" ? raw : raw.slice(raw.indexOf(":") + 1);
}

/** What follows the colon, unfolded (section 2.2.3), without blanks around it. */
export function unfoldedBody(field: HeaderField): string {
  return trimBlanks(unfold(foldedBody(field)));
}

/** A line end within a field is taken away if a blank follows, as section 2.2.3 says, and is one if none does. */
export function unfold(text: string): string {
  return text.includes("\n") ? text.replace(/\r?\n([ \t])?/g, (_, blank: string | undefined) => blank ?? " ") : text;
}

/** The body of the first field of a name, unfolded. */
export function bodyOf(fields: readonly HeaderField[], name: string): string | undefined {
  const found = fields.find((candidate) => candidate.name === name);
  return found && unfoldedBody(found);
}

/** No regular expression: one with an end to look for takes minutes for half a megabyte of spaces. */
function trimBlanks(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Bytes of a field as text: UTF-8 (RFC 6532) if they are, else Latin-1. */
export function bytesAsText(bytes: string): string {
  if (!hasEightBit(bytes)) return bytes;
  const encoded = Buffer.from(bytes, "latin1");
  return isUtf8(encoded) ? encoded.toString("utf8") : bytes;
}

function hasEightBit(bytes: string): boolean {
  for (let at = 0; at < bytes.length; at += 1) if (bytes.charCodeAt(at) > 0x7f) return true;
  return false;
}

/** Text as the strings of a field have it: UTF-8, a character a byte. */
export function textAsBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/**
 * The text of an unstructured field as a person reads it: unfolded and decoded. It holds no CR or LF.
 * @param limit of the field's octets that are looked at
 */
export function fieldText({ name, raw }: HeaderField, limit = raw.length): string {
  return decodeEncodedWords(bytesAsText(unfoldedBody({ name, raw: raw.slice(0, limit) })));
}
