/** The octets that an ASCII character takes in JSON (RFC 8259 section 7). */
const asciiBytes = new Uint8Array(128).fill(1);
asciiBytes.fill(6, 0, 0x20);
for (const shortlyEscaped of '\b\t\n\f\r"\\') asciiBytes[shortlyEscaped.charCodeAt(0)] = 2;

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
    const code = text.charCodeAt(index);
    const isPair = code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1));
    const size = isPair ? 4 : bytesOf(code);
    if (bytes + size > limitBytes) return { bytes, characters: index };
    bytes += size;
    index += isPair ? 2 : 1;
  }
  return { bytes, characters: text.length };
}

/** Of one code unit; half of a pair that stands alone is escaped. */
function bytesOf(code: number): number {
  if (code < 0x80) return asciiBytes[code] ?? 1;
  if (code < 0x800) return 2;
  return code >= 0xd800 && code <= 0xdfff ? 6 : 3;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
