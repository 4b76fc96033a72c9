/** The form of a JSON value, as a type of any language can be made from it. */
export type Shape =
  | { kind: "string" | "integer" | "number" | "boolean" | "null" | "unknown" }
  | { kind: "literal"; value: string | number | boolean }
  | { kind: "list"; of: Shape }
  | { kind: "map"; of: Shape }
  | { kind: "object"; fields: readonly Field[] }
  | { kind: "oneOf"; shapes: readonly Shape[] }
  | { kind: "named"; name: string };

export interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

export interface NamedShape {
  readonly name: string;
  readonly shape: Shape;
}

/** An endpoint of REST. */
export interface RestOperation {
  readonly name: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly pathFields: readonly Field[];
  readonly queryFields: readonly Field[];
  readonly body: Shape | undefined;
  /** Of success; undefined where there is no document. */
  readonly answer: Shape | undefined;
  readonly isAnswerOptional: boolean;
}

/** A query or mutation of the graph. */
export interface GraphOperation {
  readonly name: string;
  readonly isMutation: boolean;
  readonly text: string;
  readonly variables: Shape;
  readonly data: Shape;
}

/** Everything that the clients are made from. */
export interface Interface {
  readonly schemas: readonly NamedShape[];
  readonly rest: readonly RestOperation[];
  readonly inputs: readonly NamedShape[];
  readonly graph: readonly GraphOperation[];
}

export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** One of several, each once; the only one itself. */
export function oneOf(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === "oneOf" ? shape.shapes : [shape]));
  const distinct = [...new Map(flat.map((shape) => [JSON.stringify(shape), shape])).values()];
  const [first, ...others] = distinct;
  if (!first) return { kind: "unknown" };
  return others.length === 0 ? first : { kind: "oneOf", shapes: distinct };
}
