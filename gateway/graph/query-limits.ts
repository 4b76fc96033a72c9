import type { ApolloServerPlugin } from "@apollo/server";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from "graphql";
import { Refusal } from "../../services/platform/errors.ts";
import { errorExtensions } from "../../services/platform/graph/error-codes.ts";
import type { GraphContext } from "./context.ts";
import { measure } from "./query-size.ts";

/** A document has no more words than this; what is beyond is not even parsed. While one is validated and planned nothing else runs. */
export const tokenLimit = 1_000;
/** Values of variables that an answer tells of as wrong, each by itself. */
const wrongValueLimit = 10;

/** What a query may ask for at once. */
export interface Bounds {
  depth: number;
  cost: number;
  aliases: number;
}

/** Refuses what names no operation, and what is too large, before anything is asked of a service. */
export function boundsPlugin(bounds: Bounds): ApolloServerPlugin<GraphContext> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ schema, document, operation, request }) => {
        if (!operation) throw refused("The document has no operation of this name, or several and none is named.");
        if (operation.operation === "subscription") throw refused("Subscriptions are taken at /graphql/stream.");
        const wrong = manyWrongValues(schema, operation, request.variables ?? {});
        if (wrong !== undefined) throw refused(wrong);
        const large = tooLarge(schema, document, request.variables ?? {}, bounds, operation);
        if (large !== undefined) throw refused(large);
      },
    }),
  };
}

/** What an operation is too large in, in a sentence; undefined if it is not. */
export function tooLarge(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  bounds: Bounds,
  operation = getOperationAST(document),
): string | undefined {
  if (!operation) return undefined;
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const found = measure(schema, operation, fragments, variables);
  const what = (["depth", "cost", "aliases"] as const).find((each) => found[each] > bounds[each]);
  return (
    what && `The query is too large: its ${what} is ${found[what]}, of ${bounds[what]} at most. Ask for less at once.`
  );
}

/** Apollo tells of every wrong value, which takes 0.1 ms of CPU and 300 bytes for each of thousands. */
function manyWrongValues(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  const { errors = [] } = getVariableValues(schema, variableDefinitions, variables, { maxErrors: wrongValueLimit });
  const isMore = errors.length > wrongValueLimit;
  return isMore ? `More than ${wrongValueLimit} values of variables are wrong. ${errors[0]?.message}` : undefined;
}

function refused(sentence: string): GraphQLError {
  const refusal = new Refusal("ValidationFailed", { public: sentence });
  const extensions = { ...errorExtensions(refusal, "gateway"), http: { status: 400 } };
  return new GraphQLError(refusal.publicMessage, { extensions });
}
