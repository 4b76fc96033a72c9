import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(import.meta.dirname, "../..");
const sources = new Map(
  globSync("{services,gateway,proto,scripts,test,bench,web,clients}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist[\w-]*|gen)$/.test(name),
  }).map((path) => [path, readFileSync(join(root, path), "utf8")]),
);

interface Export {
  readonly path: string;
  readonly name: string;
  readonly isType: boolean;
  /** The comment in front. */
  readonly comment: string;
}

/** What files export, those of tests among them. */
const declared = [...sources].flatMap(([path, text]): Export[] => {
  if (!/^(services|gateway|scripts|test|web\/src)\//.test(path) || /\.(test|d)\.tsx?$/.test(path)) return [];
  const pattern =
    /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:abstract |async )*(function\*?|class|const|interface|type) (\w+)/gm;
  return [...text.matchAll(pattern)].map(([, comment = "", kind = "", name = ""]) => {
    return { path, name, isType: kind === "interface" || kind === "type", comment };
  });
});

/** Who imports a name of a file, by `path#name`. */
const importers = new Map<string, string[]>();
for (const [path, text] of sources)
  for (const [, names = "", from = ""] of text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm))
    for (const name of names.split(",").map((each) => /^\s*(?:type )?(\w+)/.exec(each)?.[1])) {
      const key = `${join(path, "..", from)}#${name}`;
      importers.set(key, [...(importers.get(key) ?? []), path]);
    }
/** Who loads a whole file when it is needed, by its path. */
const loaders = new Map<string, string[]>();
for (const [path, text] of sources)
  for (const [, from = ""] of text.matchAll(/\bimport\(\s*"(\.[^"]+)"/g)) {
    const key = join(path, "..", from);
    loaders.set(key, [...(loaders.get(key) ?? []), path]);
  }

function isTest(path: string): boolean {
  return /\.test\.tsx?$|(^|\/)(test|test-support)\//.test(path);
}

/** Scripts besides hold what tests alone need, such as peers. */
function isProduct(path: string): boolean {
  return /^(services|gateway|web\/src)\//.test(path) && !isTest(path);
}

const importersOf = ({ path, name }: Export) => [
  ...(importers.get(`${path}#${name}`) ?? []),
  ...(loaders.get(path) ?? []),
];

test("what is exported is imported somewhere", () => {
  const unused = declared.filter((each) => importersOf(each).length === 0);
  expect(unused.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test("what is exported for tests alone says so", () => {
  const silent = declared.filter(
    (each) =>
      isProduct(each.path) &&
      !each.isType &&
      importersOf(each).length > 0 &&
      importersOf(each).every(isTest) &&
      !each.comment.includes("Exported for tests"),
  );
  expect(silent.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});
