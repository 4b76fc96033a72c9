import { expect, test } from "@jest/globals";
import { parse } from "graphql";
import { Outage } from "../../services/platform/errors.ts";
import type { SubgraphClient } from "../../services/platform/graph/subgraph-server.ts";
import { createLogger } from "../../services/platform/telemetry/logger.ts";
import { Graph } from "./graph.ts";
import { missingFields } from "./missing-fields.ts";

const gone: SubgraphClient = async () => {
  throw new Outage("mailbox");
};

test("each null of an outage has an error with its place, and a real null beside it has none", async () => {
  const graph = new Graph({
    subgraphs: {
      auth: gone,
      forwarder: gone,
      mailbox: gone,
      webhook: gone,
      bindings: async ({ query }) => ({
        data: query.includes("proxyBindings")
          ? { proxyBindings: { nodes: ["b1", "b2"].map((id) => ({ __typename: "ProxyBinding", id })) } }
          : { suggestedProxyAddress: null },
      }),
    },
    bounds: { depth: 9, cost: 9_999, aliases: 9 },
    hasIntrospection: false,
    logger: createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }),
  });
  const asking = { context: { statement: "", session: {} }, asker: "" };
  const ask = (query: string) => graph.ask({ query, variables: {} }, asking);
  await graph.start();
  const { data, errors = [] } = await ask(`{
    proxyBindings { nodes { id mail: emails { totalCount } recent: emails(first: 1) { totalCount } } }
    recorders { id }
  }`);
  const node = (id: string) => ({ id, mail: null, recent: null });
  expect(data).toEqual({ proxyBindings: { nodes: [node("b1"), node("b2")] }, recorders: null });
  const places = errors.map(({ path, extensions }) => [path?.join("."), extensions?.["missing"]]);
  expect(places.sort()).toEqual([
    ["proxyBindings.nodes.0.mail", ["ProxyBinding.emails"]],
    ["proxyBindings.nodes.0.recent", ["ProxyBinding.emails"]],
    ["proxyBindings.nodes.1.mail", ["ProxyBinding.emails"]],
    ["proxyBindings.nodes.1.recent", ["ProxyBinding.emails"]],
    ["recorders", ["recorders"]],
  ]);
  // One entry of the log stands behind all that one service owes.
  expect(new Set(errors.map(({ extensions }) => extensions?.["id"])).size).toBe(2);
  expect(await ask(`{ suggestedProxyAddress }`)).toEqual({ data: { suggestedProxyAddress: null } });
  await graph.stop();
});

test("what was not asked for is not missing", () => {
  const query = `query ($representations: [_Any!]!, $withMail: Boolean = false, $quiet: Boolean!) {
    _entities(representations: $representations) {
      ... on ProxyBinding { __typename emails @include(if: $withMail) { totalCount } owner @skip(if: $quiet) { id } }
      ... on Account @include(if: true) { quota { used } }
    }
  }`;
  const representations = [
    { __typename: "Account", id: 1 },
    { __typename: "ProxyBinding", id: 2 },
  ];
  const names = (given: object) =>
    missingFields(parse(query), { representations, ...given }).map(({ name, path }) => [name, path.join(".")]);
  expect(names({ quiet: true })).toEqual([["Account.quota", "_entities.0.quota"]]);
  expect(names({ quiet: false, withMail: true })).toEqual([
    ["Account.quota", "_entities.0.quota"],
    ["ProxyBinding.emails", "_entities.1.emails"],
    ["ProxyBinding.owner", "_entities.1.owner"],
  ]);
});
