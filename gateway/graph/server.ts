import { readFileSync } from "node:fs";
import { ApolloGateway } from "@apollo/gateway";
import { ApolloServer } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import type { GraphQLSchema } from "graphql";
import { setLibraryEnvironment } from "../../services/platform/config.ts";
import { Outage } from "../../services/platform/errors.ts";
import type { SubgraphClient } from "../../services/platform/graph/subgraph-server.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import type { GraphContext } from "./context.ts";
import { subgraphSource } from "./data-source.ts";
import { errorFormatter } from "./errors.ts";
import { type Bounds, boundsPlugin, tokenLimit } from "./query-limits.ts";

interface GraphOptions {
  /** The services' parts, by service. */
  subgraphs: Readonly<Record<string, SubgraphClient>>;
  bounds: Bounds;
  hasIntrospection: boolean;
  logger: Logger;
}

/** How long a persisted query is kept after it was last registered. */
const persistedS = 24 * 3_600;

/** The graph over all services: the committed supergraph, and each service's part behind it. */
export function createGraphServer({ subgraphs, bounds, hasIntrospection, logger }: GraphOptions) {
  // Otherwise it asks the clouds' metadata services where it runs, and tells its makers every now and then.
  setLibraryEnvironment({ APOLLO_TELEMETRY_DISABLED: "true" });
  const gateway = new ApolloGateway({
    supergraphSdl: readFileSync(new URL("../supergraph.graphql", import.meta.url), "utf8"),
    buildService: ({ name }) => {
      const client = subgraphs[name];
      if (!client) throw new Error(`the supergraph knows ${name}, and the gateway does not`);
      return subgraphSource(name, client, logger);
    },
    logger,
  });
  let schema: GraphQLSchema | undefined;
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => {
    schema = apiSchema;
  });
  const server = new ApolloServer<GraphContext>({
    gateway,
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
    plugins: [ApolloServerPluginLandingPageDisabled(), boundsPlugin(bounds)],
    formatError: errorFormatter(logger),
  });
  const schemaOf = () => {
    if (!schema) throw new Outage("gateway", { operator: "the graph has not started yet" });
    return schema;
  };
  return { server, schema: schemaOf };
}
