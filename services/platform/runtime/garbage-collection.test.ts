import { readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { collectAfterStart, heapOptions, startEnvironment } from "./garbage-collection.ts";

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
  expect(starts).toHaveLength(1);
  for (const option of heapOptions) expect(starts[0]).toContain(option);
});

test.each(["package.json", "Dockerfile"])("%s gives it the environment that it is to have", (path) => {
  const start = /^ +"start": .*$|^ENV .*DATA_DIR=.*$/m.exec(
    readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"),
  );
  for (const [name, value] of Object.entries(startEnvironment)) expect(start?.[0]).toContain(`${name}=${value}`);
});
