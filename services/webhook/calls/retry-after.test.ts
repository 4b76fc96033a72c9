import { expect, test } from "@jest/globals";
import { parseRetryAfter } from "./retry-after.ts";

const now = new Date("2024-01-20T02:00:46.500Z");

test.each([
  ["120", 120],
  [" 0 ", 0],
  ["Sat, 20 Jan 2024 02:01:46 GMT", 59.5],
  ["Saturday, 20-Jan-24 02:01:46 GMT", 59.5],
  ["Sat, 20 Jan 2024 01:00:00 GMT", 0],
  ["-1", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %s is %s seconds", (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});
