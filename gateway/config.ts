import { boolean, defineConfig, integer, origins, port } from "../services/platform/config.ts";

export const gatewayConfig = defineConfig({
  TRUSTED_PROXY_HOPS: integer(0, { min: 0, max: 10 }).describe(
    "How many proxies in front add to X-Forwarded-For; the client's address is read that many entries from its end. With none, a client's traceparent is not gone on with",
  ),
  CORS_ORIGINS: origins().describe(
    "Origins whose pages may call /api/v1 and /graphql with a token of their own, such as https://app.example; * for any. Never with the browser's session",
  ),
  SMTP_PORT: port(2525).describe("The port that takes mail by SMTP"),
  GRAPH_INTROSPECTION: boolean(true).describe("Whether the graph answers introspection queries"),
  GRAPH_MAX_DEPTH: integer(15, { min: 1, max: 100 }).describe("How many fields within fields a graph query may have"),
  GRAPH_MAX_COST: integer(50_000, { min: 1 }).describe(
    "How many fields a graph query may have resolved, lists counted by what is asked for; a mutation counts 100",
  ),
  GRAPH_MAX_ALIASES: integer(30).describe("How many fields of a graph query may have another name"),
});
