import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { SubgraphAnswer, SubgraphQuery } from "../../services/platform/graph/subgraph-server.ts";
import { createLogger } from "../../services/platform/telemetry/logger.ts";
import { Graph } from "./graph.ts";
import { KnownPlans } from "./known-plans.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const bounds = { depth: 20, cost: 10_000, aliases: 100 };

type Answers = Record<string, (query: SubgraphQuery) => SubgraphAnswer>;

const binding = (id: string) => ({ __typename: "ProxyBinding", id, address: `${id}@proxy.example` });
const page = (nodes: unknown[]) => ({ nodes, totalCount: nodes.length });

/** Three services whose answers a test may replace; made anew for each question, as a service makes them. */
const answers = (replaced: Answers = {}): Answers => ({
  auth: () => ({ data: { me: { __typename: "Account", id: "account", username: "owner" } } }),
  bindings: ({ query }) =>
    query.includes("_entities")
      ? { data: { _entities: [{ quota: { used: 2, available: 100 } }] } }
      : { data: { proxyBindings: page([binding("first"), binding("second")]) } },
  mailbox: ({ variables }) => ({
    data: {
      _entities: (variables as { representations: unknown[] }).representations.map((_, at) => ({
        emails: { totalCount: at },
      })),
    },
  }),
  ...replaced,
});

const query = `query List($first: Int) {
  account: me { ...Named quota { available used } }
  proxyBindings(first: $first) { __typename nodes { address: proxyAddress emails { totalCount } } totalCount nodes { id } }
}
fragment Named on Account { kind: __typename username }`;

let learned: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  learned = jest.spyOn(KnownPlans.prototype, "learn");
});
afterEach(() => void jest.restoreAllMocks());

/** Asks thrice: Apollo's gateway the first two times, and us the third, if it was `known`. */
async function askThrice(given: Answers, text = query, variables: Record<string, unknown> = { first: 2 }) {
  const subgraphs = Object.fromEntries(
    ["auth", "bindings", "mailbox", "forwarder", "webhook"].map((name) => [
      name,
      async (asked: SubgraphQuery) => structuredClone(given[name]?.(asked) ?? { data: null }),
    ]),
  );
  const graph = new Graph({ subgraphs, bounds, hasIntrospection: true, logger });
  await graph.start();
  const asking = { context: { statement: "", session: {} }, asker: "" };
  const ask = async () =>
    JSON.parse(JSON.stringify(await graph.ask({ query: text, variables }, asking))) as Record<string, unknown>;
  const [byApollo, _again, third] = [await ask(), await ask(), await ask()];
  await graph.stop();
  const known = learned.mock.calls.length === 1;
  return { first: byApollo, third, known };
}

test("a plan that is known gives what Apollo's gateway gives, its fields in their order", async () => {
  const { first, third, known } = await askThrice(answers({ auth: () => ({ data: { account: named() } }) }));
  expect(known).toBe(true);
  expect(JSON.stringify(third)).toBe(JSON.stringify(first));
  expect(third["data"]).toEqual({
    account: { kind: "Account", username: "owner", quota: { available: 100, used: 2 } },
    proxyBindings: {
      __typename: "ProxyBindingConnection",
      nodes: [
        { address: "first@proxy.example", emails: { totalCount: 0 }, id: "first" },
        { address: "second@proxy.example", emails: { totalCount: 1 }, id: "second" },
      ],
      totalCount: 2,
    },
  });
});

const named = () => ({ __typename: "Account", kind: "Account", id: "account", username: "owner" });
const extensions = { code: "NOT_FOUND", kind: "NotFound", id: "an-id", service: "mailbox" };

test.each([
  ["an entity", "mailbox", ["_entities", 1, "emails"], [{ emails: { totalCount: 1 } }, { emails: null }]],
  ["a root field", "bindings", ["proxyBindings"], null],
])("an error at %s has its place in the whole answer", async (_what, service, path, entities) => {
  const failing = (asked: SubgraphQuery) =>
    service === "bindings" && asked.query.includes("_entities")
      ? (answers()[service]?.(asked) ?? {})
      : {
          data: entities ? { _entities: entities } : { proxyBindings: null },
          errors: [{ message: "There is no such thing.", path, extensions }],
        };
  const { first, third, known } = await askThrice(
    answers({ auth: () => ({ data: { account: named() } }), [service]: failing }),
  );
  expect(known).toBe(true);
  expect(first["errors"]).toHaveLength(1);
  expect(third).toEqual(first);
});

test("a value that is of another type than the schema's is left to Apollo, which says so", async () => {
  const wrong = () => ({ data: { proxyBindings: page([{ proxyAddress: 12 }]) } });
  const { first, third, known } = await askThrice(
    answers({ bindings: wrong }),
    "{ proxyBindings { totalCount nodes { proxyAddress } } }",
  );
  expect(known).toBe(false);
  expect(third).toEqual(first);
});

test.each([
  [
    "directives",
    "query ($first: Int) { me { id username @skip(if: false) } proxyBindings(first: $first) { totalCount } }",
  ],
  ["introspection", "{ __schema { queryType { name } } me { id } }"],
])("a query with %s stays with Apollo", async (_what, text) => {
  const { first, third, known } = await askThrice(answers(), text);
  expect(known).toBe(false);
  expect(third).toEqual(first);
});

test("variables that are wrong are refused as Apollo refuses them", async () => {
  const { first, third } = await askThrice(answers(), query, { first: "many" });
  expect(first["errors"]).toHaveLength(1);
  const { id: _first, ...refusal } = (first["errors"] as { extensions: { id: string } }[])[0]?.extensions ?? { id: "" };
  expect((third["errors"] as object[])[0]).toMatchObject({ extensions: refusal });
});
