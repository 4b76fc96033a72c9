import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { english } from "../../services/rest/link-pages/texts/english.ts";
import { german } from "../../services/rest/link-pages/texts/german.ts";
import { germanPlace, germanRefusal, places, sentences } from "../../services/rest/link-pages/texts/german-said.ts";

const root = join(import.meta.dirname, "../..");
const read = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");

/** By name, with a sign for each argument. Those who say what a service has said are not called. */
function asShown(texts: typeof english | typeof german): Map<string, string> {
  const shown = new Map<string, string>();
  for (const [name, text] of Object.entries(texts)) {
    const isOfService = ["refusal", "passwordFault", "place"].includes(name);
    const say = text as (...args: string[]) => string;
    if (typeof text === "string") shown.set(name, text);
    else shown.set(name, isOfService ? name : say("{0}", "{1}"));
  }
  return shown;
}

test("the pages behind links have the same texts in both languages, and none is empty or left in English", () => {
  const [inEnglish, inGerman] = [asShown(english), asShown(german)];
  expect([...inGerman.keys()]).toEqual([...inEnglish.keys()]);
  const argumentsOf = (text: string) => text.match(/\{\d\}/g)?.sort();
  for (const [name, said] of inEnglish) {
    const other = inGerman.get(name) ?? "";
    expect([name, argumentsOf(other)]).toEqual([name, argumentsOf(said)]);
    expect([name, other.trim()]).not.toEqual([name, ""]);
    if (said !== name) expect([name, other]).not.toEqual([name, said]);
  }
});

test("every text is read on some page", () => {
  const pages = read("services/rest/link-pages/*.ts");
  expect(Object.keys(english).filter((name) => !new RegExp(`\\b${name}\\b`).test(pages))).toEqual([]);
});

test("what is said in German of refusals and places is what services say, and no place is left out", () => {
  const services = read("services/{auth,bindings,forwarder}/**/*.ts").replaceAll(/\$\{\w+\}/g, "{}");
  const asSaid = (said: string) => said.replaceAll("{}", "8");
  const isSaid = (said: string) => services.includes(said) || services.includes(said.replace("{}", "1"));
  expect(Object.keys(sentences).filter((said) => !isSaid(said))).toEqual([]);
  expect(Object.keys(sentences).map((said) => germanRefusal("Gone", asSaid(said)))).toEqual(
    Object.values(sentences).map(asSaid),
  );
  const forwarder = read("services/forwarder/answers/{search/find-leaks,outgoing/compose-answer}.ts");
  expect(Object.keys(places).filter((said) => !forwarder.includes(said))).toEqual([]);
  const said = [...forwarder.matchAll(/"(in (?:its|the|an?|parts|what) [^"]+)"|`(in [^`]+)`/g)].map(
    ([, plain, template = ""]) => plain ?? template.replace(/\$\{.*\}/, "a.zip"),
  );
  const inAttachment = [...forwarder.matchAll(/\}(, which [^`]+)`/g)].map(
    ([, manner]) => `in the attachment "a"${manner}`,
  );
  expect(said.length).toBeGreaterThan(8);
  expect(inAttachment).toHaveLength(2);
  expect([...said, ...inAttachment].filter((place) => germanPlace(place) === place)).toEqual([]);
});
