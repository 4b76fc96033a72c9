import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { errorStatuses } from "../../services/platform/error-kinds.ts";
import { reasonOf, reasons } from "../../web/src/texts/german/reasons.ts";

const german = readFileSync(join(import.meta.dirname, "../../web/src/texts/german/refusals.ts"), "utf8");

test("the web application says every kind of error that services tell in German", () => {
  const said = new Set([...german.matchAll(/^ {2}(\w+):/gm)].map(([, kind]) => kind));
  expect(Object.keys(errorStatuses).filter((kind) => !said.has(kind))).toEqual([]);
});

test("every sentence that the web application has in German is one that services say", () => {
  const root = join(import.meta.dirname, "../..");
  const files = globSync("services/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  const said = files.map((path) => readFileSync(join(root, path), "utf8").replaceAll(/\$\{[^{}]*\}/g, "{}")).join("\n");
  const isSaid = (sentence: string) => {
    const inField = sentence.charAt(0).toLowerCase() + sentence.slice(1);
    // What is wrong with an address is said without it, and without a full stop.
    const ofAddress = /^The address (.+)\.$/.exec(sentence)?.[1];
    return [sentence, inField, ofAddress].some((text) => text !== undefined && said.includes(text));
  };
  expect(Object.keys(reasons).filter((sentence) => !isSaid(sentence))).toEqual([]);
});

test("what differs from case to case is said in German as well, and what is not known is left out", () => {
  expect(reasonOf("There can be 20 API keys; revoke one that is not used.")).toContain("kann 20 API-Schlüssel geben");
  expect(reasonOf("must have at least 12 characters.")).toBe("Es müssen mindestens 12 Zeichen sein.");
  expect(reasonOf("Something else.")).toBeUndefined();
});
