import type { ConstDirectiveNode } from "graphql";
import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from "graphql";
import { isScope, type NeededScope, requireScope } from "../security/scopes.ts";
import type { GraphRequest } from "./graph-request.ts";

/** What federation asks for by itself. */
const federationFields = ["_service", "_entities"];

interface Declared {
  directives?: readonly ConstDirectiveNode[] | undefined;
}

/**
 * Has API keys meet `@scope(needs: …)` of a field, or of its type. A root field that declares none is refused to every key.
 * @throws Error for a declaration that names no scope
 */
export function guardScopes(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    const ofType = scopeNeededBy([type.astNode, ...type.extensionASTNodes]);
    for (const field of Object.values(type.getFields())) {
      const needed = scopeNeededBy([field.astNode]) ?? ofType;
      const isOpen = needed === undefined && (!roots.includes(type) || federationFields.includes(field.name));
      if (!isOpen) guard(field, needed);
    }
  }
}

/** The scope that one of these declarations names. Exported for tests. */
export function scopeNeededBy(declared: readonly (Declared | null | undefined)[]): NeededScope | undefined {
  const directive = declared.flatMap((each) => each?.directives ?? []).find(({ name }) => name.value === "scope");
  const value = directive?.arguments?.find(({ name }) => name.value === "needs")?.value;
  if (!value) return undefined;
  const text = value.kind === "StringValue" ? value.value : "";
  if (text !== "none" && text !== "session" && !isScope(text)) throw new Error(`@scope(needs: "${text}") is no scope`);
  return text;
}

function guard(field: GraphQLField<unknown, GraphRequest>, needed: NeededScope | undefined): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, request, info) => {
    requireScope(request.statement.caller ?? {}, needed);
    return resolve(source, args, request, info);
  };
}
