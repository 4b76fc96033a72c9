import { readFileSync } from "node:fs";
import { ApolloGateway, type GraphQLDataSource } from "@apollo/gateway";
import { ApolloServer } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { type GraphQLSchema, OperationTypeNode } from "graphql";
import { LRUCache } from "lru-cache";
import { setLibraryEnvironment } from "../../services/platform/config.ts";
import { Outage } from "../../services/platform/errors.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import type { GraphContext } from "./context.ts";
import { errorFormatter, oneIdPerDocument } from "./errors.ts";
import { planKey } from "./known-plans.ts";
import { isPlain, type ResolvedPlan } from "./plan-steps.ts";
import type { PlannedQuery } from "./protocol.ts";
import { type Bounds, boundsPlugin, tokenLimit } from "./query-limits.ts";
import { shapeOf } from "./result-shape.ts";

interface GraphServerOptions {
  /** What asks a service for its part. */
  source(service: string): GraphQLDataSource<GraphContext>;
  bounds: Bounds;
  hasIntrospection: boolean;
  /** Told of a query that was asked before, and that can be followed without Apollo. */
  onKnown(query: PlannedQuery): void;
  logger: Pick<Logger, "debug" | "info" | "warn" | "error">;
}

/** How long a persisted query is kept after it was last registered. */
const persistedS = 24 * 3_600;

/** Queries of which it is remembered that they were asked. */
const keptQueries = 1_000;

/** The graph over all services: the committed supergraph, and each service's part behind it. */
export function createGraphServer({ source, bounds, hasIntrospection, onKnown, logger }: GraphServerOptions) {
  // Otherwise it asks the clouds' metadata services where it runs, and tells its makers every now and then.
  setLibraryEnvironment({ APOLLO_TELEMETRY_DISABLED: "true" });
  const asked = new LRUCache<string, true>({ max: keptQueries });
  let schema: GraphQLSchema | undefined;
  const apollo = new ApolloGateway({
    supergraphSdl: readFileSync(new URL("../supergraph.graphql", import.meta.url), "utf8"),
    buildService: ({ name }) => source(name),
    experimental_didResolveQueryPlan: (resolved) => {
      const planned = schema && plainQuery(schema, resolved);
      if (!planned) return;
      const key = planKey(planned);
      // What is asked once, under a new name each time, is not worth to be kept.
      if (asked.has(key)) onKnown(planned);
      else asked.set(key, true);
    },
    logger,
  });
  apollo.onSchemaLoadOrUpdate(({ apiSchema }) => {
    schema = apiSchema;
  });
  const server = new ApolloServer<GraphContext>({
    gateway: apollo,
    logger,
    nodeEnv: "production",
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    introspection: hasIntrospection,
    hideSchemaDetailsFromClientErrors: !hasIntrospection,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    cache: "bounded",
    persistedQueries: { ttl: persistedS },
    parseOptions: { maxTokens: tokenLimit },
    plugins: [ApolloServerPluginLandingPageDisabled(), boundsPlugin(bounds), oneIdPerDocument],
    formatError: errorFormatter(logger),
  });
  const schemaOf = () => {
    if (!schema) throw new Outage("gateway", { operator: "the graph has not started yet" });
    return schema;
  };
  return { server, schema: schemaOf };
}

/** The plan of a query that needs no Apollo to be followed; undefined for any other. */
function plainQuery(
  schema: GraphQLSchema,
  { queryPlan: { node }, requestContext: { document, operation, queryHash, source, request } }: ResolvedPlan,
): PlannedQuery | undefined {
  if (operation.operation !== OperationTypeNode.QUERY || !node || node.kind === "Subscription" || !isPlain(node))
    return undefined;
  const { operationName } = request;
  return shapeOf(schema, document, operation) && { hash: queryHash, text: source, operationName, node };
}
