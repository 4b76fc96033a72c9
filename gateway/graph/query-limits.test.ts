import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { buildSchema, type DocumentNode, parse, separateOperations } from "graphql";
import { tooLarge } from "./query-limits.ts";

const schema = buildSchema(`
  type Query { nodes(first: Int = 20): Connection days(last: Int! = 14): [Day!]! recorders: [Recorder!] }
  type Connection { nodes: [Node!]! }
  type Node { id: ID nodes(first: Int = 20): Connection }
  type Day { received: Int }
  type Recorder { id: ID }
`);

function costOf(text: string, variables: Record<string, unknown> = {}): number {
  const sentence = tooLarge(schema, parse(text), variables, { depth: 15, cost: 0, aliases: 0 });
  return Number(/its cost is (\d+)/.exec(sentence ?? "")?.[1]);
}

test.each<[string, Record<string, unknown>, number]>([
  ["$n: Int", { n: 100 }, 100],
  ["$n: Int = 100", {}, 100],
  ["$n: Int! = 100", {}, 100],
  ["$n: Int = 100", { n: 3 }, 3],
  ["$n: Int = 100", { n: null }, 20],
  ["$n: Int", {}, 20],
])("with the variable %s and %j a list counts by what is in force", (definition, variables, first) => {
  const byVariable = `query (${definition}) { nodes(first: $n) { nodes { id } } }`;
  expect(costOf(byVariable, variables)).toBe(costOf(`{ nodes(first: ${first}) { nodes { id } } }`));
});

test.each([
  ["{ days(last: 90) { received } }", 91],
  ["{ days { received } }", 15],
  ["query ($n: Int! = 90) { days(last: $n) { received } }", 91],
  ["{ recorders { id } }", 101],
])("%s costs %i", (text, cost) => {
  expect(costOf(text)).toBe(cost);
});

const folder = "web/operations";
const texts = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
const asked = separateOperations(parse(texts.join("\n")));
const graph = buildSchema(readFileSync("gateway/supergraph.graphql", "utf8"), { assumeValid: true });

test.each(Object.keys(asked))("%s of the web application is within the limits", (name) => {
  const document = asked[name] as DocumentNode;
  expect(tooLarge(graph, document, { first: 100 }, { depth: 15, cost: 50_000, aliases: 30 })).toBeUndefined();
});
