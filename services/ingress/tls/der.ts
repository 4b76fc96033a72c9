/** The little of DER (X.690) that a certificate needs. */
function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([0x80 | significant.length]), significant]);
}

export const sequence = (...items: readonly Uint8Array[]) => element(0x30, ...items);
export const set = (...items: readonly Uint8Array[]) => element(0x31, ...items);
export const octets = (content: Uint8Array) => element(0x04, content);
export const utf8 = (text: string) => element(0x0c, Buffer.from(text));
export const bits = (content: Uint8Array) => element(0x03, Buffer.from([0]), content);

/** An INTEGER from its two's complement, big-endian and as short as can be. */
export const integer = (bytes: Uint8Array) => element(0x02, bytes);

/** GeneralizedTime, in UTC to the second. */
export const time = (at: Date) => element(0x18, Buffer.from(at.toISOString().replace(/\.\d+|[-:T]/g, "")));

/** A context-specific tag; constructed unless it replaces the tag of a primitive. */
export const tagged = (number: number, content: Uint8Array, isPrimitive = false) =>
  element((isPrimitive ? 0x80 : 0xa0) | number, content);

/** An OBJECT IDENTIFIER from its dotted form. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}
