import type { GraphQLDataSource } from "@apollo/gateway";
import { type DocumentNode, Kind, parse, type SelectionNode } from "graphql";
import { errorExtensions } from "../../services/platform/graph/error-codes.ts";
import type { SubgraphClient } from "../../services/platform/graph/subgraph-server.ts";
import type { Logger } from "../../services/platform/logger.ts";
import { asRefusal } from "../../services/platform/rpc/wire-errors.ts";
import type { GraphContext } from "./context.ts";

type Process = GraphQLDataSource<GraphContext>["process"];

/**
 * Asks one service for its part of a query. A service that cannot answer costs its own fields alone: the error says which
 * these are, and the rest of the answer goes on without them.
 */
export function subgraphSource(
  service: string,
  client: SubgraphClient,
  logger: Logger,
): GraphQLDataSource<GraphContext> {
  const process: Process = async ({ request, context: given }) => {
    const context = given as GraphContext;
    const query = request.query ?? "";
    try {
      const { statement } = context;
      const variables = request.variables as Record<string, unknown> | undefined;
      const answer = await client({ query, operationName: request.operationName, variables, statement });
      if (answer.sessionChange) context.session.change = answer.sessionChange;
      if (answer.statement) context.statement = answer.statement;
      return { data: answer.data, errors: answer.errors as never };
    } catch (error) {
      const refusal = asRefusal(error);
      const missing = fieldsOf(parse(query));
      logger.error({ id: refusal.id, peer: service, missing, err: refusal.cause ?? refusal }, refusal.message);
      const message = `${service} cannot answer right now; missing: ${missing.join(", ")}.`;
      const extensions = { ...errorExtensions(refusal, service), missing };
      return { errors: [{ message, extensions }] as never };
    }
  };
  return { process };
}

/** The fields that a subquery asks for, as `Type.field`; those of the root by their name. */
function fieldsOf(document: DocumentNode): string[] {
  const selections = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
  );
  return [...new Set(selections.flatMap((selection) => namesOf(selection, "")))];
}

function namesOf(selection: SelectionNode, prefix: string): string[] {
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const type = selection.typeCondition?.name.value;
    return selection.selectionSet.selections.flatMap((inner) => namesOf(inner, type ? `${type}.` : prefix));
  }
  if (selection.kind !== Kind.FIELD) return [];
  const name = selection.name.value;
  if (name === "_entities") return (selection.selectionSet?.selections ?? []).flatMap((inner) => namesOf(inner, ""));
  return name.startsWith("__") ? [] : [`${prefix}${name}`];
}
