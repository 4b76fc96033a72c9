import { expect, test } from "@jest/globals";
import { describeError } from "./dead-events.ts";

test("an error is written down with its stack and its causes", () => {
  const text = describeError(new Error("cannot store", { cause: new TypeError("not a date") }));
  expect(text).toMatch(/^Error: cannot store\n +at .*\ncaused by TypeError: not a date\n +at /s);
});

test("whatever was thrown becomes text that PostgreSQL takes", () => {
  expect(describeError("a\0b")).toBe("a\uFFFDb");
  expect(describeError({ toString: () => "odd" })).toBe("odd");
  expect(describeError(new Error("x".repeat(50_000))).length).toBe(16_000);
});
