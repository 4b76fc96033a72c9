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

const fractionFrom = utcForm.second + 1;

/**
 * A timestamp that was selected as text, as `Date.toISOString` gives it. To make a Date and its text of it takes nine times as long, a
 * fifteenth of a list through REST.
 * @throws RangeError for what is no time
 */
export function isoTimestamp(text: string): string {
  const fraction = text.length - fractionFrom - utcForm.suffix.length;
  const isPlain = text[4] === "-" && text[10] === " " && text.endsWith(utcForm.suffix) && fraction <= 6;
  if (!isPlain) return new Date(parseAnyTimestamp(text) as Date).toISOString();
  const milliseconds = fraction > 0 ? text.slice(fractionFrom, fractionFrom + Math.min(fraction, 3)) : "";
  return `${text.slice(0, 10)}T${text.slice(11, utcForm.second)}.${milliseconds.padEnd(3, "0")}Z`;
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
  const [at, hundreds] = [fractionFrom, digit(text, fractionFrom) * 100];
  return hundreds + (digits > 1 ? digit(text, at + 1) * 10 : 0) + (digits > 2 ? digit(text, at + 2) : 0);
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
