import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import type { SubgraphQuery } from "../../services/platform/graph/subgraph-server.ts";
import { createLogger } from "../../services/platform/telemetry/logger.ts";
import { eventually } from "../../test/support/eventually.ts";
import { Graph } from "./graph.ts";
import { KnownPlans } from "./known-plans.ts";

const asking = { context: { statement: "", session: {} }, asker: "" };
const query = "query Me { me { id username } }";

/** A query that takes a while to be read. */
const long = (name: string) => `query ${name} { ${"me { id username } ".repeat(150)} }`;

const answer = async (_asked: SubgraphQuery) => ({
  data: { me: { __typename: "Account", id: "1", username: "owner" } },
});
const settings = {
  subgraphs: { auth: answer, bindings: answer, mailbox: answer, forwarder: answer, webhook: answer },
  bounds: { depth: 9, cost: 9_999, aliases: 9 },
  hasIntrospection: false,
  logger: createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }),
};

let graph: Graph;
beforeAll(async () => {
  graph = new Graph(settings);
  await graph.start();
});
afterAll(() => graph.stop());
afterEach(() => void jest.restoreAllMocks());

test("all else goes on while a document is read and planned", async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  expect(await graph.ask({ query: long("Long"), variables: {} }, asking)).toMatchObject({
    data: { me: { username: "owner" } },
  });
  clearImmediate(next);
  expect(turns).toBeGreaterThan(0);
});

/** A request to /graphql, its body as JSON. */
const post = (body: object, accept: string) =>
  graph.answer(
    {
      method: "POST",
      headers: [
        ["content-type", "application/json"],
        ["accept", accept],
      ],
      search: "",
      text: JSON.stringify(body),
      body,
    },
    asking,
  );

const sha256Hash = createHash("sha256").update(query).digest("hex");
const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash } } };

test.each([
  ["a text", "*/*", { query }],
  ["a name besides", "application/graphql-response+json", { query, operationName: "Me", variables: null }],
  ["its hash", "application/json", { ...persisted, operationName: "Me" }],
])("a query that is known by %s is answered to the byte as Apollo answers it", async (_by, accept, body) => {
  const known = jest.spyOn(KnownPlans.prototype, "answer");
  await post({ query, ...persisted }, accept);
  const answers = [await post(body, accept), await post(body, accept), await post(body, accept)];
  const [first, , third] = answers.map(({ headers, ...answer }) => ({
    ...answer,
    type: headers.find(([name]) => name === "content-type"),
  }));
  expect(await known.mock.results.at(-1)?.value).toMatchObject({ data: { me: { id: "1" } } });
  expect(third).toEqual(first);
});

test("what ends the thread costs the requests in it, and another is started", async () => {
  const posted = jest.spyOn(Worker.prototype, "postMessage");
  const lost = expect(graph.subscription({ query: long("Lost") }, asking)).rejects.toMatchObject({
    kind: "Unavailable",
  });
  await (posted.mock.contexts[0] as Worker).terminate();
  await lost;
  expect(() => graph.ready()).toThrow("not started");
  expect(await graph.ask({ query: long("Next"), variables: {} }, asking)).toMatchObject({ data: { me: { id: "1" } } });
  await eventually(() => graph.ready());
});

test("what is nested too deeply to be copied is refused, and nothing else is", async () => {
  let variables: Record<string, unknown> = {};
  for (let level = 0; level < 100_000; level++) variables = { variables };
  await expect(graph.subscription({ query: "subscription { x }", variables }, asking)).rejects.toThrow();
  expect(await graph.ask({ query, variables: {} }, asking)).toMatchObject({ data: { me: { id: "1" } } });
});

test("the thread ends as well where whoever asked last has hung up", async () => {
  const resting = new Graph({ ...settings, idleMs: 500 });
  const ended = jest.spyOn(Worker.prototype, "terminate");
  try {
    await resting.start();
    const context = { ...asking.context, disconnected: AbortSignal.abort() };
    await expect(resting.ask({ query: long("Left"), variables: {} }, { ...asking, context })).rejects.toThrow();
    await eventually(() => expect(ended).toHaveBeenCalledTimes(1));
  } finally {
    await resting.stop();
  }
});

test("the thread starts with who asks first", async () => {
  const unasked = new Graph(settings);
  const ended = jest.spyOn(Worker.prototype, "terminate");
  unasked.ready();
  await unasked.stop();
  expect(ended).not.toHaveBeenCalled();

  const asked = new Graph(settings);
  try {
    expect(await asked.ask({ query, variables: {} }, asking)).toMatchObject({ data: { me: { id: "1" } } });
  } finally {
    await asked.stop();
  }
  expect(ended).toHaveBeenCalledTimes(1);
});

test("who opens a page has the thread started before it is asked", async () => {
  const resting = new Graph({ ...settings, idleMs: 50 });
  const ended = jest.spyOn(Worker.prototype, "terminate");
  try {
    resting.warmUp();
    // It was there, and nobody asked.
    await eventually(() => expect(ended).toHaveBeenCalledTimes(1));
  } finally {
    await resting.stop();
  }
});

test("the thread ends while nobody asks, a query that is known does without it, and what needs it starts it", async () => {
  const resting = new Graph({ ...settings, idleMs: 50 });
  const ended = jest.spyOn(Worker.prototype, "terminate");
  try {
    await resting.start();
    for (let time = 0; time < 4; time += 1) await resting.ask({ query, variables: {} }, asking);
    await eventually(() => expect(ended).toHaveBeenCalledTimes(1));
    resting.ready();
    const posted = jest.spyOn(Worker.prototype, "postMessage");
    expect(await resting.ask({ query, variables: {} }, asking)).toMatchObject({ data: { me: { id: "1" } } });
    expect(posted).not.toHaveBeenCalled();
    const others = ["One", "Other"].map((name) => resting.ask({ query: long(name), variables: {} }, asking));
    resting.ready();
    expect(await Promise.all(others)).toMatchObject([{ data: { me: { id: "1" } } }, { data: { me: { id: "1" } } }]);
    await eventually(() => expect(ended).toHaveBeenCalledTimes(2));
  } finally {
    await resting.stop();
  }
});
