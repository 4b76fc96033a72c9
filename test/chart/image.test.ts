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
  ["modules", ["scripts/ensure-installed.mjs", "scripts/image/prune.ts"]],
  ["built", ["scripts/build-web.ts", "scripts/build-docs.ts", "scripts/build-services.ts"]],
  ["built", ["services/main.ts", "services/admin.ts", "scripts/image/health.ts"]],
])("stage %s has every file that its programs import", (stage, programs) => {
  const copied = copiedBy(stages.get(stage) ?? "");
  const imported = importedBy(programs);
  expect(imported.size).toBeGreaterThan(programs.length);
  const missing = [...imported].filter(
    (path) => !copied.some((source) => path === source || path.startsWith(`${source}/`)),
  );
  expect(missing).toEqual([]);
});

// npm leaves out what is development's, or might be; ensure-installed.mjs then misses what the lock does not say is development's alone.
test("the lock says of every package that production does not need that it is development's", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: Locked };
  const needed = neededInProduction(packages);
  const wanted = Object.keys(packages).filter((path) => !packages[path]?.dev);
  expect(wanted.filter((path) => !needed.has(path))).toEqual([]);
});

type Locked = Readonly<Record<string, LockedPackage | undefined>>;
interface LockedPackage {
  dev?: boolean;
  dependencies?: object;
  optionalDependencies?: object;
  peerDependencies?: object;
}

/** Folders of the packages that those of the root's dependencies lead to. */
function neededInProduction(packages: Locked): Set<string> {
  const found = new Set([""]);
  for (const folder of found) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[folder] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = foldersFrom(folder, name).find((candidate) => packages[candidate]);
      if (path !== undefined) found.add(path);
    }
  }
  return found;
}

/** Where Node looks for a package that is asked for by a file in a folder. */
function foldersFrom(folder: string, name: string): string[] {
  const here = join(folder, "node_modules", name);
  return folder === ""
    ? [here]
    : [here, ...foldersFrom(folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ""), name)];
}

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
