import { expect, test } from "@jest/globals";
import fc from "fast-check";
import pg from "pg";
import { isoTimestamp, resultTypes } from "./value-types.ts";

const oid = 1184;
const ofDriver = pg.types.getTypeParser(oid, "text");
const ours = resultTypes.getTypeParser(oid, "text") as (text: string) => unknown;

test.each([
  "infinity",
  "-infinity",
  "0044-03-15 00:00:00+00 BC",
  "0001-01-01 00:00:00+00",
  "0099-12-31 23:59:59.999+00",
  "0100-01-01 00:00:00+00",
  "9999-12-31 23:59:59.999999+00",
  "12345-01-01 00:00:00+00",
  "2024-02-29 10:00:00.5+05:30",
  "2024-02-29 10:00:00-08",
])("%s is what the driver makes of it", (text) => {
  expect(ours(text)).toEqual(ofDriver(text));
  const date = ofDriver(text);
  if (date instanceof Date) expect(isoTimestamp(text)).toBe(date.toISOString());
  else expect(() => isoTimestamp(text)).toThrow(RangeError);
});

test("a time is the one that the server wrote, to the millisecond", () => {
  const time = fc.date({
    min: new Date("1700-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(time, fc.integer({ min: 0, max: 999 }), (at, microseconds) => {
      const digits = `${at.toISOString().slice(0, -1)}${String(microseconds).padStart(3, "0")}`;
      // PostgreSQL writes no zeros at the end of a fraction.
      const text = `${digits.replace("T", " ").replace(/\.?0+$/, "")}+00`;
      expect(ours(text)).toEqual(at);
      expect(isoTimestamp(text)).toBe(at.toISOString());
    }),
  );
});
