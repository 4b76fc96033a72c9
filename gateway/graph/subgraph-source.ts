import type { GraphQLDataSource } from "@apollo/gateway";
import { parse } from "graphql";
import { asServiceError, faultOf } from "../../services/platform/errors.ts";
import { errorExtensions } from "../../services/platform/graph/error-codes.ts";
import type { SubgraphClient } from "../../services/platform/graph/subgraph-server.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import type { GraphContext } from "./context.ts";
import { missingFields } from "./missing-fields.ts";

/** The field that waits for mail, for so long at most. */
const waiting = /\bnextEmail\b/;
const maxWaitMs = 60_000;

type Process = GraphQLDataSource<GraphContext>["process"];

/**
 * Asks one service for its part of a query. A service that cannot answer costs its own fields alone: each of them has an
 * error that tells its null from a real one, all under the id of one log entry, and the rest of the answer goes on.
 */
export function subgraphSource(
  service: string,
  client: SubgraphClient,
  logger: Logger,
): GraphQLDataSource<GraphContext> {
  const process: Process = async ({ request, context: given }) => {
    const context = given as GraphContext;
    const query = request.query ?? "";
    const variables = request.variables as Record<string, unknown> | undefined;
    try {
      const { statement, disconnected } = context;
      const waitMs = waiting.test(query) ? maxWaitMs : undefined;
      const asked = { query, operationName: request.operationName, variables, statement };
      const answer = await client(asked, { disconnected, waitMs });
      if (answer.sessionChange) context.session.change = answer.sessionChange;
      if (answer.statement) context.statement = answer.statement;
      return { data: answer.data, errors: answer.errors as never };
    } catch (error) {
      if (context.disconnected?.aborted) return { data: null };
      const refusal = asServiceError(error);
      const missing = missingFields(parse(query), variables);
      const names = [...new Set(missing.map(({ name }) => name))];
      logger.error({ id: refusal.id, peer: service, missing: names, err: faultOf(refusal) }, refusal.message);
      const extensions = errorExtensions(refusal, service);
      const errors = missing.map(({ name, path }) => ({
        message: `${service} cannot answer right now; missing: ${name}.`,
        path,
        extensions: { ...extensions, missing: [name] },
      }));
      return { errors: errors as never };
    }
  };
  return { process };
}
