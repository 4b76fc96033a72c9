import { octetsAt } from "../ids.ts";

/** The types whose arrays can be written in binary, and what is written of each. */
export interface BinaryTypes {
  uuid: string;
  text: string;
  boolean: boolean;
  integer: number;
  bigint: number;
  float8: number;
  timestamptz: Date;
  /** Its text. */
  json: string;
  jsonb: string;
  bytea: Buffer;
}

/** What a type's `recv` function reads. */
interface Encoding<Value> {
  /** pg_type.oid */
  readonly oid: number;
  /** How many octets the value takes. */
  bytes(value: Value): number;
  /** Gives how many octets it wrote. */
  write(value: Value, into: Buffer, at: number): number;
}

const text: Omit<Encoding<string>, "oid"> = {
  bytes: (value) => Buffer.byteLength(value),
  write: (value, into, at) => into.write(value, at),
};

const encodings: { readonly [Type in keyof BinaryTypes]: Encoding<BinaryTypes[Type]> } = {
  uuid: { oid: 2950, bytes: () => 16, write: writeUuid },
  text: { oid: 25, ...text },
  boolean: { oid: 16, bytes: () => 1, write: (value, into, at) => into.writeUInt8(value ? 1 : 0, at) - at },
  integer: { oid: 23, bytes: () => 4, write: (value, into, at) => into.writeInt32BE(whole(value), at) - at },
  bigint: { oid: 20, bytes: () => 8, write: (value, into, at) => writeInt64(whole(value), into, at) },
  float8: { oid: 701, bytes: () => 8, write: (value, into, at) => into.writeDoubleBE(value, at) - at },
  timestamptz: { oid: 1184, bytes: () => 8, write: writeTimestamp },
  json: { oid: 114, ...text },
  jsonb: { oid: 3802, bytes: (value) => 1 + text.bytes(value), write: writeJsonb },
  bytea: { oid: 17, bytes: ({ length }) => length, write: (value, into, at) => value.copy(into, at) },
};

const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

/**
 * An array as array_recv reads it: dimensions, null flag, element type, length, lower bound, and each element behind its length. The
 * driver sends Buffers in binary, so that neither side writes or reads text.
 * @throws TypeError for what is no UUID; RangeError for a number or a time that its type does not have
 */
export function binaryArray<Type extends keyof BinaryTypes>(
  type: Type,
  values: readonly (BinaryTypes[Type] | null | undefined)[],
): Buffer {
  const { oid, bytes, write } = encodings[type];
  let size = headerBytes + lengthBytes * values.length;
  for (const value of values) size += isAbsent(value) ? 0 : bytes(value);
  const array = Buffer.allocUnsafe(size);
  let at = 0;
  for (const word of [1, 1, oid, values.length, 1]) at = array.writeInt32BE(word, at);
  for (const value of values) {
    const length = isAbsent(value) ? nullLength : write(value, array, at + lengthBytes);
    at = array.writeInt32BE(length, at) + Math.max(length, 0);
  }
  return array;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not an integer: ${value}`);
  return value;
}

/** What a hexadecimal digit is worth, by its code; -1 for what is none. */
const digits = new Int8Array(128).fill(-1);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

const hyphensAt = [8, 13, 18, 23];
const hyphen = 0x2d;
/** Where octets stand in a text without hyphens, which PostgreSQL takes as well. */
const bareOctetsAt = octetsAt.map((_, octet) => octet * 2);

function writeUuid(value: string, into: Buffer, at: number): number {
  const isWhole = value.length === 36 && hyphensAt.every((from) => value.charCodeAt(from) === hyphen);
  const places = isWhole ? octetsAt : bareOctetsAt;
  // Negative once there was what is no digit.
  let sign = isWhole || value.length === 32 ? 0 : -1;
  for (let octet = 0; octet < 16; octet++) {
    const from = places[octet] as number;
    const high = digits[value.charCodeAt(from)] ?? -1;
    const low = digits[value.charCodeAt(from + 1)] ?? -1;
    sign |= high | low;
    into[at + octet] = high * 16 + low;
  }
  if (sign < 0) throw new TypeError("not a UUID");
  return 16;
}

function writeInt64(value: number, into: Buffer, at: number): number {
  const high = Math.floor(value / 2 ** 32);
  into.writeInt32BE(high, at);
  into.writeUInt32BE(value - high * 2 ** 32, at + 4);
  return 8;
}

/** Microseconds since the start of 2000, which from 2285 on are more than a number holds. */
function writeTimestamp(value: Date, into: Buffer, at: number): number {
  const milliseconds = whole(value.getTime() - millennium);
  const microseconds = milliseconds * 1_000;
  if (Number.isSafeInteger(microseconds)) return writeInt64(microseconds, into, at);
  return into.writeBigInt64BE(BigInt(milliseconds) * 1_000n, at) - at;
}
const millennium = Date.UTC(2000);

/** A version goes before the text (jsonb_recv). */
function writeJsonb(value: string, into: Buffer, at: number): number {
  into[at] = 1;
  return 1 + text.write(value, into, at + 1);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function int64(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeInt64(value, bytes, 0);
  return bytes;
}

export function uuidBytes(id: string): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeUuid(id, bytes, 0);
  return bytes;
}
