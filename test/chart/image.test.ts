import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "./support/helm.ts";

const stages = new Map(
  readFileSync(join(root, "Dockerfile"), "utf8")
    .split(/^FROM /m)
    .map((text) => [/^\S+ AS (\w+)/.exec(text)?.[1] ?? "", text]),
);

test.each([
  ["web", ["scripts/build-web.ts", "scripts/build-docs.ts"]],
  ["base", ["services/main.ts", "services/admin.ts", "scripts/image/health.ts", "scripts/image/fill-compile-cache.ts"]],
])("stage %s has every file that its programs import", (stage, programs) => {
  const copied = copiedBy(stages.get(stage) ?? "");
  const imported = importedBy(programs);
  expect(imported.size).toBeGreaterThan(programs.length);
  const missing = [...imported].filter(
    (path) => !copied.some((source) => path === source || path.startsWith(`${source}/`)),
  );
  expect(missing).toEqual([]);
});

/** What a stage copies of the tree, not of another stage. */
function copiedBy(stage: string): string[] {
  return [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = ""]) => sources.split(" "));
}

/** Files and all that they import, however deep. */
function importedBy(paths: readonly string[]): Set<string> {
  const found = new Set(paths);
  // A set shows what is added to it while it is gone through.
  for (const path of found)
    for (const [, from = ""] of readFileSync(join(root, path), "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+\.ts)"/g))
      found.add(join(path, "..", from));
  return found;
}
