import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checks, suites } from "./plan.ts";

const root = join(import.meta.dirname, "../..");

test("every test file belongs to a suite, so that none is left out in silence", () => {
  const files = globSync("{services,gateway,proto,scripts,test,bench,web}/**/*.test.ts", { cwd: root });
  const isRun = (file: string): boolean =>
    suites.some(({ folders }) => folders.some((folder) => file.startsWith(`${folder}/`)));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !isRun(file))).toEqual([]);
});

test("every check and suite has a name of its own", () => {
  const names = [...checks, ...suites].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
