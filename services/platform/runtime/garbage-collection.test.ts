import { readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { collectAfterStart, heapOptions } from "./garbage-collection.ts";

test("what nothing refers to is gone after the collection", async () => {
  const loaded = new WeakRef({ syntaxTree: "of a source" });
  // A reference that was made is held to the end of the turn (ECMA-262 section 9.9).
  await turn();
  collectAfterStart();
  expect(loaded.deref()).toBeUndefined();
});

test.each(["package.json", "Dockerfile"])("%s starts node with the options for its heap", (path) => {
  const starts = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => /^ +"start": |^ENTRYPOINT /.test(line));
  expect(starts).toEqual([expect.stringContaining(heapOptions.join(" "))]);
});
