import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as typescriptOperations from "@graphql-codegen/typescript-operations";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
} from "graphql";

const folder = join(import.meta.dirname, "../../web/operations");

/**
 * The web application's queries and mutations as typed constants, each with the hash that it is asked by.
 * @param schema the schema that clients see, in SDL
 * @throws Error naming what of an operation the schema does not know
 */
export async function generateOperations(schema: string): Promise<string> {
  const documents = readdirSync(folder)
    .sort()
    .map((name) => ({ location: name, document: parse(readFileSync(join(folder, name), "utf8")) }));
  const types = await codegen({
    schema: parse(schema),
    documents,
    filename: "operations.ts",
    config: { scalars: { DateTime: "string", ID: "string" }, inlineFragmentTypes: "combine", skipTypename: true },
    plugins: [{ types: {} }],
    pluginMap: { types: typescriptOperations },
  });
  const heading = "// Made by `npm run web:operations` from web/operations; not to be edited.\n";
  const document = 'import type { Operation } from "../operation.ts";\n';
  return `${heading}${document}\n${types.trim()}\n\n${constants(documents.map((file) => file.document)).join("\n\n")}\n`;
}

function constants(documents: readonly DocumentNode[]): string[] {
  const definitions = documents.flatMap((document) => document.definitions);
  const fragments = new Map(
    definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]),
  );
  return definitions
    .filter((each) => each.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => constant(operation, fragments));
}

function constant(operation: OperationDefinitionNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): string {
  const name = operation.name?.value ?? "";
  const type = `${name}${operation.operation === "query" ? "Query" : "Mutation"}`;
  const used = [...usedFragments(operation, fragments)].map((fragment) => print(fragment));
  const text = stripIgnoredCharacters([print(operation), ...used].join("\n"));
  const hash = createHash("sha256").update(text).digest("hex");
  const members = { name, hash, text };
  return `export const ${name}: Operation<${type}, ${type}Variables> = ${JSON.stringify(members, null, 2)};`;
}

/** With those that they use in turn. */
function usedFragments(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Set<FragmentDefinitionNode> {
  const used = new Set<FragmentDefinitionNode>();
  visit(node, {
    FragmentSpread: ({ name }) => {
      const fragment = fragments.get(name.value);
      if (!fragment) return;
      for (const each of [fragment, ...usedFragments(fragment, fragments)]) used.add(each);
    },
  });
  return used;
}
