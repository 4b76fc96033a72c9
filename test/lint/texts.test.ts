import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(import.meta.dirname, "../..");

/** Every text, as "section.name": the compiler says them, as all that could stand in the place of a wrong one. */
const everyText = `
export const everyText: { [Name in keyof typeof english]: \`\${Name}.\${keyof (typeof english)[Name] & string}\` }[keyof typeof english] = "";
`;

/** Takes the texts from a type of the catalogue: each section keeps its name, and each use of a text becomes an error that says both. */
function empty(path: string, type: string, catalogue: string): void {
  const text = readFileSync(path, "utf8");
  const whole = `export type ${type} = typeof ${catalogue};`;
  expect(text).toContain(whole);
  // The catalogue itself still fits: it has what every object has.
  const emptied = `declare const name: unique symbol;
interface Section<Name> { readonly [name]?: Name; toString(): string }
export type ${type} = { [Name in keyof typeof ${catalogue}]: Section<Name> };`;
  writeFileSync(path, text.replace(whole, emptied));
}

/** What the compiler says of the web application whose texts are taken away. */
function complaints(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "postern-texts-"));
  try {
    cpSync(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
    cpSync(join(root, "web"), join(folder, "web"), { recursive: true, filter: (path) => !/\/dist[\w-]*$/.test(path) });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const english = join(folder, "web/src/texts/english");
    empty(join(english, "index.ts"), "Texts", "english");
    empty(join(english, "signed-out.ts"), "SignedOutTexts", "signedOutEnglish");
    appendFileSync(join(english, "index.ts"), everyText);
    const tsc = join(root, "node_modules/.bin/tsc");
    const { stdout } = spawnSync(tsc, ["--noEmit", "--pretty", "false", "--noErrorTruncation", "-p", "web"], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 100_000_000,
    });
    return stdout.split("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The texts that a complaint names: one, those that an expression chooses among, or those that a part wants of its section. */
function textsOf(complaint: string): string[] {
  const section = /Section<"(\w+)">/.exec(complaint)?.[1];
  if (section === undefined || complaint.startsWith("web/src/texts/")) return [];
  const quoted = complaint.replaceAll(/Section<"\w+">/g, "").match(/(?<=['"])\w+(?=['"])/g) ?? [];
  const wanted = /missing the following properties .*: ([\w, ]+)$/.exec(complaint)?.[1]?.split(", ") ?? [];
  return [...quoted, ...wanted].map((text) => `${section}.${text}`);
}

test("every text is read somewhere in the web application", () => {
  const said = complaints();
  const texts = said.filter((line) => line.includes(`Type '""'`)).flatMap((line) => line.match(/\w+\.\w+(?=")/g) ?? []);
  const read = new Set(said.flatMap(textsOf));
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.filter((text) => !read.has(text))).toEqual([]);
});
