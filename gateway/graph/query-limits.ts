import type { ApolloServerPlugin } from "@apollo/server";
import { GraphQLError, Kind } from "graphql";
import { Refusal } from "../../services/platform/errors.ts";
import { errorExtensions } from "../../services/platform/graph/error-codes.ts";
import type { GraphContext } from "./context.ts";
import { measure } from "./query-size.ts";

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
        if (!schema.getRootType(operation.operation)) throw refused(`There is no ${operation.operation} here.`);
        const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
        const found = measure(schema, operation, fragments, request.variables ?? {});
        for (const what of ["depth", "cost", "aliases"] as const)
          if (found[what] > bounds[what]) throw tooLarge(what, found[what], bounds[what]);
      },
    }),
  };
}

function tooLarge(what: keyof Bounds, found: number, bound: number): GraphQLError {
  return refused(`The query is too large: its ${what} is ${found}, of ${bound} at most. Ask for less at once.`);
}

function refused(sentence: string): GraphQLError {
  const refusal = new Refusal("ValidationFailed", { public: sentence });
  const extensions = { ...errorExtensions(refusal, "gateway"), http: { status: 400 } };
  return new GraphQLError(refusal.publicMessage, { extensions });
}
