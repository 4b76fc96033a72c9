import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  separateOperations,
  validate,
  visit,
} from "graphql";
import { Refusal } from "../../services/platform/errors.ts";
import { isRecord } from "./json.ts";
import { type Bounds, tokenLimit, tooLarge } from "./query-limits.ts";

export interface SubscriptionRequest {
  query?: unknown;
  variables?: unknown;
  operationName?: unknown;
}

/** A subscription, as a query that is asked whenever there is something to tell. */
export interface Subscription {
  field: string;
  /** Of the binding, or of the email. */
  id: string;
  query: string;
  variables: Readonly<Record<string, unknown>>;
}

/** The variable of the query that the email's id is in. */
export const emailVariable = "posternEmailId";

/**
 * Reads a subscription, and holds it to what queries are held to.
 * @param schema with the type Subscription
 * @throws Refusal ValidationFailed
 */
export function subscriptionOf(schema: GraphQLSchema, request: SubscriptionRequest, bounds: Bounds): Subscription {
  const { query, variables = {}, operationName } = request;
  if (typeof query !== "string") throw invalid("There is no query.");
  if (!isRecord(variables ?? {})) throw invalid("The variables are no object.");
  const document = documentOf(schema, query);
  const name = typeof operationName === "string" ? operationName : undefined;
  const operation = getOperationAST(document, name);
  if (!operation) throw invalid("The document has no operation of this name, or several and none is named.");
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION)
    throw invalid("Subscriptions alone are taken here; all else at /graphql.");
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD || others.length > 0) throw invalid("A subscription names its one field itself.");
  const given = (variables ?? {}) as Record<string, unknown>;
  const asked = asQuery(separateOperations(document)[operation.name?.value ?? ""] ?? document, operation, field);
  const large = tooLarge(schema, asked, given, bounds);
  if (large !== undefined) throw invalid(large);
  const id = idOf(schema, operation, field, given);
  return { field: field.name.value, id, query: print(asked), variables: given };
}

function documentOf(schema: GraphQLSchema, query: string): DocumentNode {
  try {
    const document = parse(query, { maxTokens: tokenLimit });
    const [error] = validate(schema, document);
    if (error) throw error;
    return document;
  } catch (error) {
    // A document that is nested too deeply ends in a RangeError.
    if (error instanceof RangeError) throw invalid("The document is nested too deeply.");
    throw error instanceof GraphQLError ? invalid(error.message) : error;
  }
}

function idOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  field: FieldNode,
  given: Readonly<Record<string, unknown>>,
): string {
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, given, { maxErrors: 1 });
  const definition = schema.getSubscriptionType()?.getFields()[field.name.value];
  if (errors?.[0] || !definition) throw invalid(errors?.[0]?.message ?? "There is no such subscription.");
  return String(Object.values(getArgumentValues(definition, field, coerced))[0]);
}

/** The same selection of an email by its id, without the variables that only the subscription's own argument used. */
function asQuery(document: DocumentNode, operation: OperationDefinitionNode, field: FieldNode): DocumentNode {
  const variable = { kind: Kind.VARIABLE, name: nameOf(emailVariable) } as const;
  const email: FieldNode = {
    ...field,
    alias: field.alias ?? field.name,
    name: nameOf("email"),
    arguments: [{ kind: Kind.ARGUMENT, name: nameOf("id"), value: variable }],
  };
  const body = {
    ...operation,
    variableDefinitions: [],
    selectionSet: { ...operation.selectionSet, selections: [email] },
  };
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const used = new Set<string>();
  for (const node of [body, ...fragments]) visit(node, { Variable: ({ name }) => void used.add(name.value) });
  const idType = { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: nameOf("ID") } } as const;
  const variableDefinitions = [
    ...(operation.variableDefinitions ?? []).filter(({ variable: { name } }) => used.has(name.value)),
    { kind: Kind.VARIABLE_DEFINITION, variable, type: idType } as const,
  ];
  const query = { ...body, operation: OperationTypeNode.QUERY, variableDefinitions };
  return { kind: Kind.DOCUMENT, definitions: [query, ...fragments] };
}

function nameOf(value: string) {
  return { kind: Kind.NAME, value } as const;
}

function invalid(sentence: string): Refusal {
  return new Refusal("ValidationFailed", { public: sentence });
}
