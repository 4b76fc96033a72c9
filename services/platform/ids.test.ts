import { expect, test } from "@jest/globals";
import { firstIdAt, isId, newId, timeOfId } from "./ids.ts";

test("ids are different and in the order in which they were made", () => {
  const ids = Array.from({ length: 20_000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every(isId)).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
});

test("an id lies between the first of its time and the first of the next", () => {
  const before = new Date();
  const id = newId();
  expect(id > firstIdAt(before)).toBe(true);
  expect(id < firstIdAt(new Date(Date.now() + 1))).toBe(true);
});

test("an id tells when it was made", () => {
  const at = new Date("2026-01-05T10:00:00.123Z");
  expect(timeOfId(firstIdAt(at))).toEqual(at);
});
