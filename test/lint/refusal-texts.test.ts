import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "@jest/globals";
import { parseSync } from "@swc/core";
import { errorStatuses } from "../../services/platform/error-kinds.ts";
import { reasons as englishReasons, reason as inEnglish } from "../../web/src/texts/english/reasons.ts";
import { reasonOf, reasons } from "../../web/src/texts/german/reasons.ts";
import { refusals } from "../../web/src/texts/german/refusals.ts";

/** Nothing that a person does in the web application is answered by these. */
const onlyForPrograms = new Set([
  "A client certificate is needed.",
  "An API token has no session to end; rotateApiToken revokes it.",
  "Only services of this installation may call this.",
  "Only this installation's gateway may ask here.",
  "Several API keys have this name: give the id of one.",
  "There is an account of this name already.",
  "This API key is bound to a domain or to real addresses.",
  "This API key is bound to real addresses, and sets no callback URL.",
  "This API key is good for other real addresses alone.",
  "This API key is good for proxy addresses on another domain alone.",
  "This API key is good for some proxy addresses alone, and a rule of the account is for all.",
  "This link is not valid, or no longer.",
  "No more than {} settings are kept.",
  "a key must have 1 to {} bytes, and a value {} at most, without NUL.",
  "cannot be changed; leave it out or give the one that the binding has.",
  "has a NUL character.",
  "has an unpaired surrogate.",
  "has more than {} ids.",
  "has something that is no id.",
  "is a real address of your own.",
  "is a reverse address: give the contact's own.",
  "is needed, or the address as recipient.",
  "is needed: what the file holds.",
  "is no UUID.",
  "is no cursor of a former event.",
  "is no cursor of a former page.",
  "is no cursor of this list.",
  "is no domain.",
  "is no moment in ISO 8601.",
  "method: is no HTTP method.",
  "must be a UUID.",
  "must be a key of that service.",
  "must be a proxy address of yours.",
  "must be a time as ISO 8601.",
  "must be at most {} ids of targets.",
  "must be from 1 to {}.",
  "must be one or more of {}.",
  "must be some of {}.",
  "must be the name of a domain.",
  "must be without a user, a query and a fragment.",
  "must be {} at most.",
  "must not be empty: a message goes to somebody.",
  "patterns or rules lead to the old address, and no proxy address has this one switched on: give it to one, or switch it on, first.",
  "the domain has as many patterns as it can have.",
  "would be one more than the {} addresses that a binding can have.",
]);

/** What stands in the gap is a sentence of its own, which is looked at where it is said. */
const frames = new Set(["the address {}.", "address: the address {}.", "The address {}.", "{}."]);

const root = join(import.meta.dirname, "../..");

interface Node {
  readonly type?: string;
  readonly [member: string]: unknown;
}

/** The nodes of a source file, comments left out. */
function nodesOf(path: string): Node[] {
  const found: Node[] = [];
  const waiting: unknown[] = [parseSync(readFileSync(join(root, path), "utf8"), { syntax: "typescript" })];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next) && "type" in next) found.push(next as Node);
    waiting.push(...Object.values(next).filter((value) => value !== undefined));
  }
  return found;
}

/** What an expression may say, "{}" in the place of what differs; undefined if no text of it stands in the file. */
function textsOf(expression: Node, nodes: readonly Node[]): string[] | undefined {
  const part = (name: string) => textsOf(expression[name] as Node, nodes);
  switch (expression.type) {
    case "StringLiteral":
      return [String(expression.value)];
    case "TemplateLiteral": {
      const [first = "", ...rest] = (expression.quasis as { cooked: string }[]).map(({ cooked }) => cooked);
      const gaps = (expression.expressions as Node[]).map((gap) => textsOf(gap, nodes) ?? ["{}"]);
      return rest.reduce(
        (said, after, at) => said.flatMap((before) => (gaps[at] ?? []).map((gap) => `${before}${gap}${after}`)),
        [first],
      );
    }
    case "ConditionalExpression":
      return [...(part("consequent") ?? []), ...(part("alternate") ?? [])];
    case "Identifier": {
      const isDeclared = ({ type, id }: Node) =>
        type === "VariableDeclarator" && (id as Node).value === expression.value;
      const value = nodes.find(isDeclared)?.init;
      return value ? textsOf(value as Node, nodes) : undefined;
    }
    default:
      return undefined;
  }
}

/** The whole sentences of a file. */
function sentencesOf(nodes: readonly Node[]): string[] {
  const texts = nodes.filter(({ type }) => type === "StringLiteral" || type === "TemplateLiteral");
  return texts.flatMap((text) => textsOf(text, nodes) ?? []).filter((text) => /^\S+ [^\n]*\.$/.test(text));
}

/** Those whose sentence is shown; a row of an import shows that of a taken address too. */
const kindsWithReason = new Set([
  ...Object.keys(refusals).filter((kind) => typeof refusals[kind] === "function"),
  "AddressTaken",
]);

/** What a refusal says, where the web application shows it. */
function publicTexts(node: Node, nodes: readonly Node[]): string[] {
  const callee = (node.callee as Node | undefined)?.value;
  if (callee !== "invalidField" && callee !== "Refusal") return [];
  const [first, second] = (node.arguments as { expression: Node }[]).map(({ expression }) => expression);
  let said: Node | undefined;
  if (callee === "invalidField") said = second;
  else if (kindsWithReason.has(String(first?.value))) {
    const members = (second?.properties ?? []) as Node[];
    said = members.find(({ key }) => (key as Node | undefined)?.value === "public")?.value as Node | undefined;
  }
  if (said === undefined) return [];
  return textsOf(said, nodes) ?? (said.type === "Identifier" ? sentencesOf(nodes) : []);
}

/** What is wrong with an address or a pattern is said of it in another file. */
function partialTexts(path: string, nodes: readonly Node[]): string[] {
  const subject = { "email-address.ts": "the address ", "local-part.ts": "the address ", "glob.ts": "" }[
    basename(path)
  ];
  if (subject === undefined) return [];
  const texts = nodes.filter(({ type }) => type === "StringLiteral" || type === "TemplateLiteral");
  const said = texts.flatMap((text) => textsOf(text, nodes) ?? []);
  return said.filter((text) => /^(is|has) /.test(text)).map((text) => `${subject}${text}.`);
}

/** What the services that the web application asks refuse with, and what imports say of rows. */
function saidByServices(): string[] {
  const paths = globSync("services/{auth,bindings,forwarder,mailbox,webhook,platform}/**/*.ts", { cwd: root });
  const said = paths
    .filter((path) => !path.endsWith(".test.ts") && path !== "services/platform/errors.ts")
    .flatMap((path) => {
      const nodes = nodesOf(path);
      const isOfRows = /\/imports\/(check-entries|make-\w+|import-work)\.ts$/.test(path);
      // The kind before a sentence is left out where a row is shown.
      const ofRows = isOfRows ? sentencesOf(nodes).map((text) => text.replace(/^Internal: /, "")) : [];
      return [...ofRows, ...partialTexts(path, nodes), ...nodes.flatMap((node) => publicTexts(node, nodes))];
    });
  return [...new Set(said)].filter((text) => !frames.has(text));
}

test("the web application says every kind of error that services tell in German", () => {
  expect(Object.keys(errorStatuses).filter((kind) => !(kind in refusals))).toEqual([]);
});

test("what services refuse with is said in German, unless it is for programs, and nothing else is", () => {
  const said = saidByServices();
  expect(said.filter((text) => reasonOf(text) === undefined && !onlyForPrograms.has(text))).toEqual([]);
  const lowerCase = new Set(said.map((text) => text.toLowerCase()));
  expect([...Object.keys(reasons), ...onlyForPrograms].filter((text) => !lowerCase.has(text.toLowerCase()))).toEqual(
    [],
  );
});

test("what differs from case to case is said in German as well, and what is not known is kept as it is", () => {
  const { ValidationFailed: german } = refusals;
  const say = (said: string) => (typeof german === "function" ? german(said) : undefined);
  expect(say("There can be 20 API keys; revoke one that is not used.")).toContain("kann 20 API-Schlüssel geben");
  expect(say("must have at least 12 characters.")).toBe("Es müssen mindestens 12 Zeichen sein.");
  expect(say("Is no export of an account: domains.0: a text.")).toContain("Kontos: domains.0: a text.");
  expect(say("Something else.")).toBe("Something else.");
});

test("in English people are told nothing of what only the API calls so", () => {
  const said = saidByServices();
  const lowerCase = new Set(said.map((text) => text.toLowerCase()));
  expect(Object.keys(englishReasons).filter((text) => !lowerCase.has(text.toLowerCase()))).toEqual([]);
  const shown = said.filter((text) => !onlyForPrograms.has(text)).map(inEnglish);
  expect(shown.filter((text) => /\b(?:bindings?|callbacks?|recorders?)\b/i.test(text))).toEqual([]);
});

test("what the server says of a field, the end of a sentence, is said whole to a person", () => {
  expect(inEnglish("Is too easy to guess. Use a longer one.")).toBe("This is too easy to guess. Use a longer one.");
  expect(inEnglish("Has more than 3 entries.")).toBe("This has more than 3 entries.");
  expect(inEnglish("Must have at least 8 characters.")).toBe("Must have at least 8 characters.");
});
