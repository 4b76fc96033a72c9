import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from "graphql";

/** What became of an answer as it was shaped. */
export interface Shaping {
  /** Something was not of its type, so that a null stands in its place or above it. */
  isIncomplete: boolean;
}

type Shape = (value: unknown, shaping: Shaping) => unknown;

/** In place of a value that may not be null and is: what holds it becomes null. */
const missing = Symbol("missing");

/** A document that is not shaped by this: its shape depends on values, or on the schema. */
class NotPlain extends Error {}

interface Selected {
  type: GraphQLOutputType;
  nodes: FieldNode[];
}

/**
 * What makes of all that the services gave the answer that an operation asked for: its fields in its order, and null where a value is not
 * of its type, as Apollo's gateway does. Made once for an operation, where Apollo looks at types and directives for each value.
 * @returns undefined for an operation with directives, introspection, interfaces or unions
 */
export function shapeOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Shape | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  const query = schema.getQueryType();
  if (!query) return undefined;
  try {
    return objectShape(query, [operation.selectionSet.selections], fragments);
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function objectShape(
  type: GraphQLObjectType,
  selections: readonly (readonly SelectionNode[])[],
  fragments: Fragments,
): Shape {
  const selected = new Map<string, Selected | "typename">();
  for (const each of selections) collect(type, each, fragments, selected);
  const members = [...selected].map(([name, field]) => {
    const shape = field === "typename" ? () => type.name : valueShape(field.type, field.nodes, fragments);
    return { name, shape };
  });
  return (value, shaping) => {
    if (typeof value !== "object" || value === null) return incomplete(shaping, null);
    const given = value as Record<string, unknown>;
    const made: Record<string, unknown> = {};
    for (const { name, shape } of members) {
      const member = shape(given[name] ?? null, shaping);
      if (member === missing) return null;
      made[name] = member;
    }
    return made;
  };
}

function collect(
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
  fragments: Fragments,
  into: Map<string, Selected | "typename">,
): void {
  for (const selection of selections) {
    if (selection.directives && selection.directives.length > 0) throw new NotPlain();
    if (selection.kind === Kind.FIELD) collectField(type, selection, into);
    else {
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      // Of an object type only fragments on it apply; what is on an interface or a union may as well.
      if (!fragment || (fragment.typeCondition && fragment.typeCondition.name.value !== type.name))
        throw new NotPlain();
      collect(type, fragment.selectionSet.selections, fragments, into);
    }
  }
}

function collectField(type: GraphQLObjectType, field: FieldNode, into: Map<string, Selected | "typename">): void {
  const name = field.name.value;
  const responseName = field.alias?.value ?? name;
  if (responseName.startsWith("__") && responseName !== "__typename") throw new NotPlain();
  if (name === "__typename") {
    into.set(responseName, "typename");
    return;
  }
  const definition = type.getFields()[name];
  const kept = into.get(responseName);
  if (!definition || kept === "typename") throw new NotPlain();
  if (kept) kept.nodes.push(field);
  else into.set(responseName, { type: definition.type, nodes: [field] });
}

function valueShape(type: GraphQLOutputType, nodes: readonly FieldNode[], fragments: Fragments): Shape {
  if (isNonNullType(type)) {
    const inner = valueShape(type.ofType, nodes, fragments);
    return (value, shaping) => inner(value, shaping) ?? incomplete(shaping, missing);
  }
  if (isListType(type)) return listShape(valueShape(type.ofType, nodes, fragments));
  if (isLeafType(type)) {
    const isValid = isEnumType(type)
      ? (value: unknown) => type.getValue(String(value)) !== undefined
      : leafCheck(type.name);
    return (value, shaping) => (value === null || isValid(value) ? value : incomplete(shaping, null));
  }
  if (!isObjectType(type)) throw new NotPlain();
  const shape = objectShape(
    type,
    nodes.map(({ selectionSet }) => selectionSet?.selections ?? []),
    fragments,
  );
  return (value, shaping) => (value === null ? null : shape(value, shaping));
}

function listShape(inner: Shape): Shape {
  return (value, shaping) => {
    if (value === null) return null;
    if (!Array.isArray(value)) return incomplete(shaping, null);
    const made: unknown[] = [];
    for (const each of value) made.push(inner(each ?? null, shaping));
    return made.includes(missing) ? null : made;
  };
}

/** What Apollo takes for a value of a scalar of GraphQL's own; of ours anything is. */
function leafCheck(name: string): (value: unknown) => boolean {
  switch (name) {
    case "Int":
      return Number.isInteger;
    case "Float":
      return (value) => typeof value === "number";
    case "Boolean":
      return (value) => typeof value === "boolean";
    case "String":
      return (value) => typeof value === "string";
    case "ID":
      return (value) => typeof value === "string" || Number.isInteger(value);
    default:
      return () => true;
  }
}

function incomplete<T>(shaping: Shaping, value: T): T {
  shaping.isIncomplete = true;
  return value;
}
