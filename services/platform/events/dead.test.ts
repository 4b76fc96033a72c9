import { expect, test } from "@jest/globals";
import { describe as described } from "./dead.ts";

test("an error is written down with its stack and its causes", () => {
  const text = described(new Error("cannot store", { cause: new TypeError("not a date") }));
  expect(text).toMatch(/^Error: cannot store\n +at .*\ncaused by TypeError: not a date\n +at /s);
});

test("whatever was thrown becomes text that PostgreSQL takes", () => {
  expect(described("a\0b")).toBe("a\uFFFDb");
  expect(described({ toString: () => "odd" })).toBe("odd");
  expect(described(new Error("x".repeat(50_000))).length).toBe(16_000);
});
