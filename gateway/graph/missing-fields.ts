import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  valueFromASTUntyped,
} from "graphql";

/** A field of a subquery that got no value. */
interface MissingField {
  /** `Type.field`; of the root, the field alone. */
  name: string;
  /** Where its null is in the subquery's answer: Apollo makes of it where it is in the whole one. */
  path: readonly (string | number)[];
}

interface Representation {
  __typename?: unknown;
}

type Variables = Readonly<Record<string, unknown>>;

/** All that a subquery asks for, each field as often as there are entities that it is asked of. */
export function missingFields(document: DocumentNode, given: Variables = {}): MissingField[] {
  return document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const variables = { ...defaultsOf(definition), ...given };
    return definition.selectionSet.selections.flatMap((selection) =>
      selection.kind === Kind.FIELD && selection.name.value === "_entities"
        ? ofEntities(selection.selectionSet?.selections ?? [], variables)
        : fieldsOf(selection, variables).map(({ name, responseName }) => ({ name, path: [responseName] })),
    );
  });
}

function ofEntities(selections: readonly SelectionNode[], variables: Variables): MissingField[] {
  const representations = (variables["representations"] ?? []) as readonly Representation[];
  const fields = selections.flatMap((selection) => fieldsOf(selection, variables));
  return representations.flatMap(({ __typename }, index) =>
    fields
      .filter(({ type }) => type === undefined || type === __typename)
      .map(({ name, responseName }) => ({ name, path: ["_entities", index, responseName] })),
  );
}

interface AskedField {
  name: string;
  /** Its name in the answer: the alias, where it has one. */
  responseName: string;
  type: string | undefined;
}

function fieldsOf(selection: SelectionNode, variables: Variables, type?: string): AskedField[] {
  if (!isAskedFor(selection, variables)) return [];
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const inner = selection.typeCondition?.name.value ?? type;
    return selection.selectionSet.selections.flatMap((each) => fieldsOf(each, variables, inner));
  }
  // Apollo's subqueries hold no named fragments: they are generated without.
  if (selection.kind !== Kind.FIELD || selection.name.value.startsWith("__")) return [];
  const field = selection.name.value;
  return [{ name: type ? `${type}.${field}` : field, responseName: selection.alias?.value ?? field, type }];
}

/** What `@skip` and `@include` say. */
function isAskedFor({ directives = [] }: SelectionNode, variables: Variables): boolean {
  return directives.every(({ name, arguments: [condition] = [] }) => {
    const isSet = condition && valueFromASTUntyped(condition.value, variables) === true;
    return name.value === "skip" ? !isSet : name.value === "include" ? isSet : true;
  });
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}
