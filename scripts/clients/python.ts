import { type Field, type Interface, type NamedShape, pascalCase, type Shape } from "./shape.ts";

const heading = `# Made by \`npm run clients\` from /openapi.json, the graph and clients/graph; not to be edited.
"""What requests and answers look like, and where each operation is."""

from typing import Any, Literal, NamedTuple, NotRequired, TypedDict, Union

# ruff: noqa: E501
`;

/** What cannot be the name of a class's member (Python's keywords that JSON has as names). */
const keywords = new Set(["from", "class", "in", "is", "not", "import", "global", "pass", "return"]);

/** The types of everything, and the tables of operations, as one module. */
export function pythonModule({ schemas, rest, inputs, graph }: Interface): string {
  const definitions = new Definitions([...schemas, ...inputs]);
  for (const { name } of [...schemas, ...inputs]) definitions.named(name);
  for (const { name, body, answer } of rest) {
    if (body) definitions.alias(`${pascalCase(name)}Body`, body);
    if (answer) definitions.alias(`${pascalCase(name)}Answer`, answer);
  }
  for (const { name, data } of graph) definitions.alias(`${pascalCase(name)}Data`, data);
  const places = rest.map(({ name, method, path }) => `    ${text(name)}: Place(${text(method)}, ${text(path)}),`);
  const documents = graph.map(
    (each) => `    ${text(each.name)}: Document(${each.isMutation ? "True" : "False"}, ${text(each.text)}),`,
  );
  return [
    heading,
    definitions.printed(),
    "\nclass Place(NamedTuple):\n    method: str\n    path: str\n",
    "\nclass Document(NamedTuple):\n    is_mutation: bool\n    text: str\n",
    `\nREST: dict[str, Place] = {\n${places.join("\n")}\n}\n`,
    `GRAPH: dict[str, Document] = {\n${documents.join("\n")}\n}\n`,
  ].join("\n");
}

const text = (value: string | number | boolean): string =>
  typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);

/** Python's types have names, and stand behind those that they are made of. */
class Definitions {
  readonly #shapes: ReadonlyMap<string, Shape>;
  readonly #names = new Set<string>();
  readonly #lines: string[] = [];

  constructor(shapes: readonly NamedShape[]) {
    this.#shapes = new Map(shapes.map(({ name, shape }) => [name, shape]));
  }

  printed(): string {
    return this.#lines.join("\n");
  }

  named(name: string): string {
    const shape = this.#shapes.get(name);
    if (shape && !this.#names.has(name)) this.alias(name, shape);
    return name;
  }

  alias(name: string, shape: Shape): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    if (shape.kind === "object") this.#typedDict(name, shape.fields);
    else this.#lines.push(`\n${name} = ${this.#typeOf(shape, `${name}Item`)}\n`);
  }

  #typedDict(name: string, fields: readonly Field[]): void {
    const members = fields.map((field) => {
      const type = this.#typeOf(field.shape, `${name}${pascalCase(field.name)}`);
      return [field.name, field.isRequired ? type : `NotRequired[${type}]`] as const;
    });
    const isClass = members.every(([key]) => /^[A-Za-z_]\w*$/.test(key) && !keywords.has(key));
    const lines = members.map(([key, type]) => (isClass ? `    ${key}: ${type}` : `    ${text(key)}: ${type},`));
    if (isClass) this.#lines.push(`\nclass ${name}(TypedDict):\n${lines.join("\n") || "    pass"}\n`);
    else this.#lines.push(`\n${name} = TypedDict(${text(name)}, {\n${lines.join("\n")}\n})\n`);
  }

  #typeOf(shape: Shape, name: string): string {
    switch (shape.kind) {
      case "string":
        return "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "unknown":
        return "Any";
      case "literal":
        return `Literal[${text(shape.value)}]`;
      case "list":
        return `list[${this.#typeOf(shape.of, name)}]`;
      case "map":
        return `dict[str, ${this.#typeOf(shape.of, name)}]`;
      case "oneOf":
        return `Union[${shape.shapes.map((each, at) => this.#typeOf(each, at === 0 ? name : `${name}${at + 1}`)).join(", ")}]`;
      case "named":
        return this.named(shape.name);
      case "object":
        this.alias(name, shape);
        return name;
    }
  }
}
