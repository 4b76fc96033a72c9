import pg from "pg";
import { binaryArray } from "./binary-values.ts";

const oids = {
  bigint: 20,
  bigintArray: 1016,
  date: 1082,
  dateArray: 1182,
  timestampWithoutZone: 1114,
  timestampWithZone: 1184,
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

const parseAnyTimestamp = getTypeParser(oids.timestampWithZone, "text");
/** As servers that are set to UTC send it. Its digits are read where they stand, without the parts that an expression would make of them. */
const utcForm = { suffix: "+00", second: "2024-02-29 10:00:00".length };

/** A Date of all but `infinity` and `-infinity`, which are numbers. */
function parseTimestamp(text: string): unknown {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  // Date.UTC takes the years of the first century for those of the twentieth.
  const isPlain = year > 99 && text[4] === "-" && text[10] === " " && text.endsWith(utcForm.suffix);
  if (!isPlain) return parseAnyTimestamp(text);
  const fraction = text.length - utcForm.second - utcForm.suffix.length - 1;
  const milliseconds = fraction > 0 ? millisecondsOf(text, fraction) : 0;
  const [month, day, hour, minute] = [
    twoDigits(text, 5) - 1,
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
  ];
  return new Date(Date.UTC(year, month, day, hour, minute, twoDigits(text, 17), milliseconds));
}

/** NaN for what is none. */
function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

function millisecondsOf(text: string, digits: number): number {
  const from = utcForm.second + 1;
  return (
    digit(text, from) * 100 + (digits > 1 ? digit(text, from + 1) * 10 : 0) + (digits > 2 ? digit(text, from + 2) : 0)
  );
}

const textParsers: Record<number, (text: string) => unknown> = {
  [oids.bigint]: safeInteger,
  [oids.bigintArray]: (text) => parseTextArray(text).map((item) => (item === null ? null : safeInteger(item))),
  // The driver would make a Date at local midnight of it.
  [oids.date]: (text) => text,
  [oids.dateArray]: parseTextArray,
  [oids.timestampWithZone]: parseTimestamp,
  [oids.timestampWithoutZone]: (text) => new Date(`${text.replace(" ", "T")}Z`),
};

/** How values of each type come out of a result (see Queryable). */
export const resultTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary" = "text") =>
    textParsers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Parameters as the driver sends them best: arrays of Buffers in binary, where it would write them as hexadecimal. */
export function asParameters(params: readonly unknown[]): unknown[] {
  return params.map((param) => (isBufferArray(param) ? binaryArray("bytea", param) : param));
}

function isBufferArray(param: unknown): param is Buffer[] {
  return Array.isArray(param) && param.length > 0 && param.every((item) => Buffer.isBuffer(item));
}
