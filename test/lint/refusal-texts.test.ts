import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { errorStatuses } from "../../services/platform/error-kinds.ts";

const german = readFileSync(join(import.meta.dirname, "../../web/src/texts/german/refusals.ts"), "utf8");

test("the web application says every kind of error that services tell in German", () => {
  const said = new Set([...german.matchAll(/^ {2}(\w+):/gm)].map(([, kind]) => kind));
  expect(Object.keys(errorStatuses).filter((kind) => !said.has(kind))).toEqual([]);
});
