import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(import.meta.dirname, "../..");
const document = readFileSync(join(root, "docs/threat-model.md"), "utf8");

test("every test that the threat model names exists", () => {
  const named = [...new Set([...document.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path]) => String(path)))];
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("every requirement that is listed has a test that shows it", () => {
  const rows = document.split("\n").filter((line) => /^\| \d+\.\d+\.\d+/.test(line));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((row) => !row.includes(".test.ts`"))).toEqual([]);
});
