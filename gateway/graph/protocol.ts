import type { GraphQLDataSource } from "@apollo/gateway";
import type { ExecutionResult } from "graphql";
import type { encodeError } from "../../services/platform/rpc/wire-errors.ts";
import type { GraphContext } from "./context.ts";
import type { PlanNode } from "./plan-steps.ts";
import type { Bounds } from "./query-limits.ts";
import type { Subscription, SubscriptionRequest } from "./subscription-query.ts";

type Process = GraphQLDataSource<GraphContext>["process"];

/** What Apollo's gateway asks one service, beside the context, which stays with the gateway. */
export type SubgraphRequest = Pick<Parameters<Process>[0]["request"], "query" | "variables" | "operationName">;
export type SubgraphResponse = Awaited<ReturnType<Process>>;

/** A request to /graphql, as far as Apollo looks at it. */
export interface HttpRequest {
  method: string;
  headers: [string, string][];
  /** The query of the URL, with its question mark. */
  search: string;
  /** JSON; empty without a body. */
  text: string;
}

export interface HttpResponse {
  status: number;
  headers: [string, string][];
  body: string;
}

/** A query of the gateway's own making. */
export interface InternalQuery {
  query: string;
  variables: Readonly<Record<string, unknown>>;
}

/** What the thread is called for, by kind, with its response. */
export interface ThreadCalls {
  http: { request: HttpRequest; response: HttpResponse };
  internal: { request: InternalQuery; response: Pick<ExecutionResult, "data" | "errors"> };
  subscription: { request: SubscriptionRequest; response: Subscription };
}

/** A query that was asked before, and the plan that Apollo has made of it. */
export interface PlannedQuery {
  /** SHA-256 of its text, in hexadecimal. */
  hash: string;
  text: string;
  operationName: string | undefined;
  node: PlanNode;
}

export interface ThreadData {
  bounds: Bounds;
  hasIntrospection: boolean;
}

export type ToThread =
  | { id: number; kind: keyof ThreadCalls; request: unknown }
  | { part: number; response: SubgraphResponse }
  | { part: number; failed: string };

/** `id` is that of the request that it is about. */
export type FromThread =
  | { ready: { schema: string } }
  | { id: number; part: number; service: string; asked: SubgraphRequest }
  | { id: number; response: unknown }
  | { id: number; refused: ReturnType<typeof encodeError> }
  | { planned: PlannedQuery }
  | { id: number | undefined; level: "debug" | "info" | "warn" | "error"; said: unknown[] };
