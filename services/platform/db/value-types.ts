import pg from "pg";

const oids = {
  bigint: 20,
  bigintArray: 1016,
  date: 1082,
  dateArray: 1182,
  timestampWithoutZone: 1114,
  bytea: 17,
  textArray: 1009,
} as const;

/** bigint as number: every id, size and count of ours is far below 2^53; what is not must not be rounded in silence. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number: select it as text`);
  return value;
}

const getTypeParser = pg.types.getTypeParser as (oid: number, format: "text" | "binary") => (value: string) => unknown;
const parseTextArray = getTypeParser(oids.textArray, "text") as (text: string) => (string | null)[];

const textParsers: Record<number, (text: string) => unknown> = {
  [oids.bigint]: safeInteger,
  [oids.bigintArray]: (text) => parseTextArray(text).map((item) => (item === null ? null : safeInteger(item))),
  // The driver would make a Date at local midnight of it.
  [oids.date]: (text) => text,
  [oids.dateArray]: parseTextArray,
  [oids.timestampWithoutZone]: (text) => new Date(`${text.replace(" ", "T")}Z`),
};

/** How values of each type come out of a result (see Queryable). */
export const resultTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary" = "text") =>
    textParsers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Parameters as the driver sends them best: arrays of Buffers in binary, where it would write them as hexadecimal. */
export function asParameters(params: readonly unknown[]): unknown[] {
  return params.map((param) => (isBufferArray(param) ? binaryByteaArray(param) : param));
}

function isBufferArray(param: unknown): param is Buffer<ArrayBuffer>[] {
  return Array.isArray(param) && param.length > 0 && param.every((item) => Buffer.isBuffer(item));
}

/** A bytea[] in the binary form that array_recv reads: dimensions, null flag, element type, length, lower bound, elements. */
function binaryByteaArray(items: Buffer<ArrayBuffer>[]): Buffer {
  const header = Buffer.alloc(20);
  header.writeInt32BE(1, 0);
  header.writeInt32BE(0, 4);
  header.writeInt32BE(oids.bytea, 8);
  header.writeInt32BE(items.length, 12);
  header.writeInt32BE(1, 16);
  const parts = [header];
  for (const item of items) {
    const size = Buffer.alloc(4);
    size.writeInt32BE(item.length, 0);
    parts.push(size, item);
  }
  return Buffer.concat(parts);
}
