import type { Field, GraphOperation, Interface, NamedShape, RestOperation, Shape } from "./shape.ts";

const heading = (source: string) => `// Made by \`npm run clients\` from ${source}; not to be edited.\n`;

/** Types of /openapi.json and where each operation is, as a module. */
export function restModule({ schemas, rest }: Interface): string {
  const operations = rest.map((each) => `${comment(each.summary)}  ${each.name}: ${operationType(each)};`);
  const places = rest.map(({ name, method, path }) => `  ${name}: ${JSON.stringify({ method, path })},`);
  return [
    heading("/openapi.json"),
    ...schemas.map(named),
    `export interface RestOperations {\n${operations.join("\n")}\n}\n`,
    `export const restOperations = {\n${places.join("\n")}\n} as const;\n`,
  ].join("\n");
}

/** Types and texts of the graph's operations in clients/graph, as a module. */
export function graphModule({ inputs, graph }: Interface): string {
  const operations = graph.map(
    ({ name, variables, data }) => `  ${name}: { variables: ${typeOf(variables, 2)}; data: ${typeOf(data, 2)} };`,
  );
  const documents = graph.map(
    ({ name, text, isMutation }: GraphOperation) => `  ${name}: ${JSON.stringify({ isMutation, text })},`,
  );
  return [
    heading("the graph and clients/graph"),
    ...inputs.map(named),
    `export interface GraphOperations {\n${operations.join("\n")}\n}\n`,
    `export const graphOperations = {\n${documents.join("\n")}\n} as const;\n`,
  ].join("\n");
}

function named({ name, shape }: NamedShape): string {
  const type = typeOf(shape, 0);
  return shape.kind === "object" && shape.fields.length > 0
    ? `export interface ${name} ${type}\n`
    : `export type ${name} = ${type};\n`;
}

function operationType({ pathFields, queryFields, body, answer, isAnswerOptional }: RestOperation): string {
  const members = [
    `path: ${objectType(pathFields, 4)}`,
    `query: ${objectType(queryFields, 4)}`,
    `body: ${body ? typeOf(body, 4) : "undefined"}`,
    `answer: ${[...(answer ? [typeOf(answer, 4)] : []), ...(isAnswerOptional ? ["undefined"] : [])].join(" | ")}`,
  ];
  return `{\n${members.map((member) => `    ${member};`).join("\n")}\n  }`;
}

function typeOf(shape: Shape, indent: number): string {
  switch (shape.kind) {
    case "integer":
      return "number";
    case "literal":
      return JSON.stringify(shape.value);
    case "list":
      return shape.of.kind === "oneOf" ? `(${typeOf(shape.of, indent)})[]` : `${typeOf(shape.of, indent)}[]`;
    case "map":
      return `Record<string, ${typeOf(shape.of, indent)}>`;
    case "object":
      return objectType(shape.fields, indent);
    case "oneOf":
      return shape.shapes.map((each) => typeOf(each, indent)).join(" | ");
    case "named":
      return shape.name;
    default:
      return shape.kind;
  }
}

function objectType(fields: readonly Field[], indent: number): string {
  if (fields.length === 0) return "Record<string, never>";
  const inner = " ".repeat(indent + 2);
  const lines = fields.map(({ name, shape, isRequired, description }) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    // An optional member may also be given as undefined: under exactOptionalPropertyTypes that is not the same.
    const optional = isRequired ? "" : " | undefined";
    return `${comment(description, inner)}${inner}${key}${isRequired ? "" : "?"}: ${typeOf(shape, indent + 2)}${optional};`;
  });
  return `{\n${lines.join("\n")}\n${" ".repeat(indent)}}`;
}

function comment(text: string | undefined, indent = "  "): string {
  return text ? `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ")} */\n` : "";
}
