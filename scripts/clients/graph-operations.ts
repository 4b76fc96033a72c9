import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  stripIgnoredCharacters,
  typeFromAST,
  visit,
} from "graphql";
import { type Field, type GraphOperation, type NamedShape, oneOf, type Shape } from "./shape.ts";

const folder = join(import.meta.dirname, "../../clients/graph");

/** @param api the schema that clients see, in SDL. @throws Error naming what of an operation the schema does not know */
export function graphInterface(api: string): { inputs: NamedShape[]; graph: GraphOperation[] } {
  const schema = buildSchema(api);
  const inputs = new Map<string, Shape>();
  const graph = readdirSync(folder)
    .sort()
    .flatMap((file) => operationsIn(parse(readFileSync(join(folder, file), "utf8"))))
    .map((operation) => operationOf(operation, schema, inputs));
  return { inputs: [...inputs].map(([name, shape]) => ({ name, shape })), graph };
}

/** Of one file, with the fields of its fragments in their places. */
function operationsIn({ definitions }: DocumentNode): OperationDefinitionNode[] {
  const fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet.selections] as const] : [],
    ),
  );
  const inlined = (each: SelectionNode) =>
    each.kind === Kind.FRAGMENT_SPREAD ? (fragments.get(each.name.value) ?? [each]) : [each];
  const SelectionSet = (node: SelectionSetNode) => ({ ...node, selections: node.selections.flatMap(inlined) });
  return definitions
    .filter((each) => each.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => visit(operation, { SelectionSet }));
}

function operationOf(node: OperationDefinitionNode, schema: GraphQLSchema, inputs: Map<string, Shape>): GraphOperation {
  const isMutation = node.operation === "mutation";
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  if (!root) throw new Error(`The graph has no ${node.operation}.`);
  const fields = (node.variableDefinitions ?? []).map(({ variable, type, defaultValue }): Field => {
    const given = typeFromAST(schema, type as never) as GraphQLInputType;
    const isRequired = isNonNullType(given) && defaultValue === undefined;
    return { name: variable.name.value, shape: inputShape(given, inputs), isRequired };
  });
  return {
    name: node.name?.value ?? "",
    isMutation,
    text: stripIgnoredCharacters(print(node)),
    variables: { kind: "object", fields },
    data: selected(root, node.selectionSet),
  };
}

function scalar(name: string): Shape {
  const kinds = { Int: "integer", Float: "number", Boolean: "boolean" } as const;
  return { kind: name in kinds ? kinds[name as keyof typeof kinds] : "string" };
}

function inputShape(type: GraphQLInputType, inputs: Map<string, Shape>): Shape {
  if (isNonNullType(type)) return nonNullInput(type.ofType as GraphQLInputType, inputs);
  return oneOf([nonNullInput(type, inputs), { kind: "null" }]);
}

function nonNullInput(type: GraphQLInputType, inputs: Map<string, Shape>): Shape {
  if (isListType(type)) return { kind: "list", of: inputShape(type.ofType as GraphQLInputType, inputs) };
  if (isEnumType(type)) return oneOf(type.getValues().map(({ name }) => ({ kind: "literal", value: name })));
  if (!isInputObjectType(type)) return scalar(String(type));
  if (!inputs.has(type.name)) {
    inputs.set(type.name, { kind: "unknown" });
    const fields = Object.values(type.getFields()).map((field): Field => {
      const isRequired = isNonNullType(field.type) && field.defaultValue === undefined;
      return {
        name: field.name,
        shape: inputShape(field.type, inputs),
        isRequired,
        description: field.description ?? undefined,
      };
    });
    inputs.set(type.name, { kind: "object", fields });
  }
  return { kind: "named", name: type.name };
}

function selected(type: GraphQLOutputType, selection: SelectionSetNode | undefined): Shape {
  if (isNonNullType(type)) return selected(type.ofType as GraphQLOutputType, selection);
  if (isListType(type)) return { kind: "list", of: outputShape(type.ofType as GraphQLOutputType, selection) };
  if (isEnumType(type)) return oneOf(type.getValues().map(({ name }) => ({ kind: "literal", value: name })));
  if (!isObjectType(type)) return scalar(String(type));
  const fields = (selection?.selections ?? []).map((each): Field => {
    if (each.kind !== Kind.FIELD)
      throw new Error("The clients' operations name fields, and fragments of their own file.");
    const field = type.getFields()[each.name.value];
    if (!field) throw new Error(`The graph's ${type.name} has no ${each.name.value}.`);
    const shape = outputShape(field.type, each.selectionSet);
    return {
      name: (each.alias ?? each.name).value,
      shape,
      isRequired: true,
      description: field.description ?? undefined,
    };
  });
  return { kind: "object", fields };
}

function outputShape(type: GraphQLOutputType, selection: SelectionSetNode | undefined): Shape {
  const shape = selected(type, selection);
  return isNonNullType(type) ? shape : oneOf([shape, { kind: "null" }]);
}
