import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";

/** How large a query is. */
interface Measure {
  /** Fields within fields. */
  depth: number;
  /** Fields as often as they may be resolved: lists count by what is asked for. */
  cost: number;
  /** Fields under another name. */
  aliases: number;
}

/** Arguments that say how many there may be. */
const sizeArguments = ["first", "last"];
/** Lists without such an argument are short: attempts, attachments, real addresses. */
const shortList = 5;
/** But for these. */
const longLists: ReadonlyMap<string, number> = new Map([["Query.recorders", 100]]);
/** A mutation may send mail, hash a password or call a foreign server. */
const mutationCost = 100;

/**
 * `__schema` and `__type` read the schema alone, to a depth that graphql-js bounds (MaxIntrospectionDepthRule). Aliases within them count: each
 * could ask for the whole schema again.
 */
const introspection = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map(({ name, type }) => [name, getNamedType(type) as GraphQLObjectType]),
);

interface Walk {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** As given, and the operation's own defaults of those that are not. */
  variables: Readonly<Record<string, unknown>>;
  /** Each fragment is measured once, however often it is spread: nested spreads would double with every level. */
  measured: Map<string, Measure>;
}

/** Measures an operation that was found valid, so that its fragments form no circle. */
export function measure(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: readonly FragmentDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
): Measure {
  const walk = {
    fragments: new Map(fragments.map((each) => [each.name.value, each])),
    variables: { ...defaultNumbers(operation), ...variables },
    measured: new Map(),
  };
  const root = schema.getRootType(operation.operation);
  if (!root) return { depth: 0, cost: 0, aliases: 0 };
  const found = ofSelections(operation.selectionSet, root, walk);
  return operation.operation === "mutation"
    ? { ...found, cost: found.cost + mutationCost * operation.selectionSet.selections.length }
    : found;
}

function defaultNumbers({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, number> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );
}

function ofSelections({ selections }: SelectionSetNode, type: GraphQLObjectType, walk: Walk): Measure {
  const parts = selections.map((selection): Measure => {
    if (selection.kind === Kind.FIELD) return ofField(selection, type, walk);
    if (selection.kind === Kind.INLINE_FRAGMENT) return ofSelections(selection.selectionSet, type, walk);
    return ofFragment(selection.name.value, type, walk);
  });
  return {
    depth: Math.max(0, ...parts.map(({ depth }) => depth)),
    cost: sum(parts.map(({ cost }) => cost)),
    aliases: sum(parts.map(({ aliases }) => aliases)),
  };
}

function ofFragment(name: string, type: GraphQLObjectType, walk: Walk): Measure {
  const known = walk.measured.get(name);
  if (known) return known;
  const fragment = walk.fragments.get(name);
  const found = fragment ? ofSelections(fragment.selectionSet, type, walk) : { depth: 0, cost: 0, aliases: 0 };
  walk.measured.set(name, found);
  return found;
}

function ofField(field: FieldNode, parent: GraphQLObjectType, walk: Walk): Measure {
  const aliases = field.alias ? 1 : 0;
  const definition = parent.getFields()[field.name.value];
  const type = definition && getNamedType(definition.type);
  const introspected = introspection.get(field.name.value);
  if (introspected && field.selectionSet) {
    const within = ofSelections(field.selectionSet, introspected, walk);
    return { depth: 1, cost: 1, aliases: within.aliases + aliases };
  }
  if (!definition || !field.selectionSet || !isObjectType(type)) return { depth: 1, cost: 1, aliases };
  const inner = ofSelections(field.selectionSet, type, walk);
  return {
    depth: inner.depth + 1,
    cost: 1 + inner.cost * sizeOf(field, definition, parent, walk),
    aliases: inner.aliases + aliases,
  };
}

/** How many of a field there may be. */
function sizeOf(
  field: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  parent: GraphQLObjectType,
  walk: Walk,
): number {
  const argument = definition.args.find(({ name }) => sizeArguments.includes(name));
  if (argument) return givenSize(field, argument.name, walk) ?? Number(argument.defaultValue ?? 1);
  // A connection's nodes were counted by its `first`.
  const isCounted = parent.name.endsWith("Connection");
  if (!isListType(getNullableType(definition.type)) || isCounted) return 1;
  return longLists.get(`${parent.name}.${field.name.value}`) ?? shortList;
}

function givenSize(field: FieldNode, argument: string, { variables }: Walk): number | undefined {
  const value = field.arguments?.find(({ name }) => name.value === argument)?.value;
  if (value?.kind === Kind.INT) return Math.max(1, Number(value.value));
  const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof given === "number" ? Math.max(1, given) : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
