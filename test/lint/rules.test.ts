import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { breaches, lawful, type Snippet } from "./snippets.ts";

const root = join(import.meta.dirname, "../..");

interface Diagnostic {
  readonly category: string;
  readonly severity: string;
  readonly message: string;
  readonly location: { readonly path: string };
}

/** Lints all snippets as one small project that has our rules, in one run; what is said is sorted by file. */
function lint(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), "postern-lint-"));
  try {
    for (const needed of ["biome.json", "lint", "package.json", ".gitignore"]) {
      cpSync(join(root, needed), join(folder, needed), { recursive: true });
    }
    for (const [path, text] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const run = spawnSync("biome", ["lint", "--reporter=json", "--max-diagnostics=none", "."], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
    });
    const said = new Map<string, string[]>();
    for (const { category, severity, message, location } of (JSON.parse(run.stdout) as { diagnostics: Diagnostic[] })
      .diagnostics) {
      if (severity === "error")
        said.set(location.path, [...(said.get(location.path) ?? []), `${category}: ${message}`]);
    }
    return said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// A file for each snippet, in the folder and of the name that its rule goes by.
const place = <Placed extends Snippet>(
  snippets: readonly Placed[],
  prefix: string,
): (Placed & { path: string; title: string })[] =>
  snippets.map((snippet, index) => ({
    ...snippet,
    path: snippet.at.replace("*", `${prefix}${index}`),
    title: snippet.code.replaceAll(/\s+/g, " "),
  }));
const breaking = place(breaches, "breach");
const keeping = place(lawful, "lawful");
const said = lint(new Map([...breaking, ...keeping].map(({ path, code }) => [path, `${code}\n`])));

test.each(breaking)("$at may not: $title", ({ path, refused }) => {
  expect(said.get(path)?.join("\n") ?? "nothing said").toContain(refused);
});

test.each(keeping)("$at may: $title", ({ path }) => {
  expect(said.get(path) ?? []).toEqual([]);
});

test("the rules know every service by name", () => {
  const services = readdirSync(join(root, "services"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !["platform", "admin", "message"].includes(entry.name))
    .map((entry) => entry.name)
    .sort();
  for (const rule of ["only-contracts", "platform-knows-no-service"]) {
    expect(readFileSync(join(root, `lint/${rule}.grit`), "utf8")).toContain(`(?:${services.join("|")})`);
  }
});

test("no file switches a rule off", () => {
  const files = globSync("{services,gateway,proto,scripts,test,bench}/**/*.{ts,mjs}", {
    cwd: root,
    exclude: ["proto/gen/**"],
  });
  const switches = new RegExp(
    ["biome-" + "ignore", "@ts-" + "(ignore|expect-error|nocheck)", "eslint-" + "disable"].join("|"),
  );
  expect(files.filter((file) => switches.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});
