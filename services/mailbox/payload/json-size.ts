/** RFC 8259 section 7: characters that JSON writes as a backslash and a letter. */
const shortEscapes = new Set([...'\b\t\n\f\r"\\'].map((character) => character.charCodeAt(0)));

/** The octets that a text takes in JSON as UTF-8, without its quotation marks. */
export function jsonBytes(text: string): number {
  return measure(text, Number.POSITIVE_INFINITY).bytes;
}

/** As much of a text as takes no more octets than that in JSON. */
export function cutToJsonBytes(text: string, limitBytes: number): string {
  return text.slice(0, measure(text, limitBytes).characters);
}

function measure(text: string, limitBytes: number): { bytes: number; characters: number } {
  let bytes = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    const size = bytesOf(code);
    if (bytes + size > limitBytes) return { bytes, characters: index };
    bytes += size;
    index += code > 0xffff ? 2 : 1;
  }
  return { bytes, characters: text.length };
}

function bytesOf(code: number): number {
  if (shortEscapes.has(code)) return 2;
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}
