export type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

/** Encodes what authenticators speak (CTAP2 canonical CBOR; RFC 8949 section 3): integers, texts, bytes and maps of these. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

/** A major type and its argument, in as few bytes as hold it. */
function head(major: number, argument: number): Buffer {
  const type = major << 5;
  if (argument < 24) return Buffer.of(type | argument);
  if (argument < 0x100) return Buffer.of(type | 24, argument);
  return Buffer.of(type | 25, argument >> 8, argument & 0xff);
}
