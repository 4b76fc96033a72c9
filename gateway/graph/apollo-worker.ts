import { AsyncLocalStorage } from "node:async_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { HeaderMap } from "@apollo/server";
import { printSchema } from "graphql";
import { Outage } from "../../services/platform/errors.ts";
import { encodeError } from "../../services/platform/rpc/wire-errors.ts";
import { collectAfterStart } from "../../services/platform/runtime/garbage-collection.ts";
import type { GraphContext } from "./context.ts";
import type { FromThread, HttpResponse, SubgraphResponse, ThreadCalls, ThreadData, ToThread } from "./protocol.ts";
import { createGraphServer } from "./server.ts";
import { subscriptionOf } from "./subscription-query.ts";

// The thread of the gateway in which Apollo runs: documents are read, validated and planned here, and what is asked of the services for
// them goes to the gateway's own thread.

const { bounds, hasIntrospection } = workerData as ThreadData;

/** The id of the request that code runs for. */
const asking = new AsyncLocalStorage<number>();
const parts = new Map<number, PromiseWithResolvers<SubgraphResponse>>();
let lastPart = 0;

const log =
  (level: "debug" | "info" | "warn" | "error") =>
  (...said: unknown[]) => {
    post({ id: asking.getStore(), level, said: said.map(cloneable) });
  };

const { server, schema } = createGraphServer({
  source: (service) => ({
    process: async ({ request: { query, variables, operationName } }) => {
      const part = ++lastPart;
      const answered = Promise.withResolvers<SubgraphResponse>();
      parts.set(part, answered);
      post({ id: asking.getStore() ?? 0, part, service, asked: { query, variables, operationName } });
      return answered.promise;
    },
  }),
  bounds,
  hasIntrospection,
  onKnown: (planned) => post({ planned }),
  logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
});

/** Apollo's context is empty: who asks is known to the gateway, by the request's id. */
const contextValue = {} as GraphContext;

const answering: {
  [Kind in keyof ThreadCalls]: (request: ThreadCalls[Kind]["request"]) => Promise<ThreadCalls[Kind]["response"]>;
} = {
  async http({ method, headers, search, text }): Promise<HttpResponse> {
    const httpGraphQLRequest = {
      method,
      headers: new HeaderMap(headers),
      search,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
    const answer = await server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => contextValue });
    const body = answer.body.kind === "complete" ? answer.body.string : "";
    return { status: answer.status ?? 200, headers: [...answer.headers], body };
  },
  async internal({ query, variables }) {
    const { body } = await server.executeOperation({ query, variables }, { contextValue });
    if (body.kind !== "single") throw new Outage("gateway", { operator: "an answer came in parts" });
    return body.singleResult as ThreadCalls["internal"]["response"];
  },
  subscription: async (request) => subscriptionOf(schema(), request, bounds),
};

parentPort?.on("message", (message: ToThread) => {
  if ("kind" in message) void asking.run(message.id, () => answer(message));
  else {
    const waiting = parts.get(message.part);
    parts.delete(message.part);
    if ("failed" in message) waiting?.reject(new Error(message.failed));
    else waiting?.resolve(message.response);
  }
});

await server.start();
collectAfterStart();
post({ ready: { schema: printSchema(schema()) } });

async function answer({ id, kind, request }: Extract<ToThread, { kind: string }>): Promise<void> {
  try {
    post({ id, response: await answering[kind](request as never) });
  } catch (error) {
    post({ id, refused: encodeError(error, "gateway") });
  }
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

/** What is logged, as far as it can go from thread to thread. */
function cloneable(value: unknown): unknown {
  if (value instanceof Error) return Object.assign(new Error(value.message), { name: value.name, stack: value.stack });
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, each instanceof Error ? cloneable(each) : String(each)]),
  );
}
