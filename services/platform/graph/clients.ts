import express, { type RequestHandler, type Router } from "express";
import { asServiceError, Outage, ServiceError } from "../errors.ts";
import { callPeer } from "../rpc/call-peer.ts";
import type { Fetch } from "../rpc/tls-fetch.ts";
import { decodeError, encodeError, isWireError } from "../rpc/wire-errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { SubgraphAnswer, SubgraphClient, SubgraphQuery, SubgraphServer } from "./subgraph-server.ts";

const bodyLimit = "4mb";

/**
 * A subgraph of the same process. What goes in is encoded and decoded all the same, so that both ways mean one thing; what comes out
 * was made for this answer, down to its strings and numbers.
 */
export function inProcessSubgraph(server: () => SubgraphServer): SubgraphClient {
  return async (query, patience) => server().execute(encoded(query), patience?.disconnected);
}

function encoded<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

interface HttpSubgraphOptions {
  /** The peer's base URL; its subgraph is under /graphql/<service>. */
  url: string;
  service: string;
  timeoutMs: number;
  token(): string;
  /** Sends the request; fetch unless given. */
  send?: Fetch | undefined;
}

/** A subgraph of another process: a deadline, the trace, and a signed service token. @throws Refusal, or Outage */
export function httpSubgraph({ url, service, timeoutMs, token, send }: HttpSubgraphOptions): SubgraphClient {
  return async (query, { disconnected, waitMs = 0 } = {}) => {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${token()}`,
    };
    const deadline = AbortSignal.timeout(timeoutMs + waitMs);
    const signal = disconnected ? AbortSignal.any([deadline, disconnected]) : deadline;
    const request = { method: "POST", headers, body: JSON.stringify(query), signal };
    try {
      const options = { isSafe: !changes(query), send };
      const response = await callPeer(`graph ${service}`, `${url}/graphql/${service}`, request, options);
      const answer: unknown = await response.json();
      if (isWireError(answer)) throw decodeError(answer);
      if (!response.ok) throw new Outage(service, { operator: `the subgraph answered ${response.status}` });
      return answer as SubgraphAnswer;
    } catch (error) {
      throw error instanceof ServiceError ? error : new Outage(service, { cause: error });
    }
  };
}

function changes({ query }: SubgraphQuery): boolean {
  return /^\s*mutation\b/.test(query);
}

/** Serves a subgraph to the gateway of a fleet; who may call is decided before. */
export function subgraphRoute(service: string, server: SubgraphServer, logger: Logger): Router {
  const answer: RequestHandler = async (request, response) => {
    const disconnected = new AbortController();
    response.once("close", () => disconnected.abort());
    try {
      response.json(await server.execute(request.body as SubgraphQuery, disconnected.signal));
    } catch (error) {
      const refusal = asServiceError(error);
      if (refusal.status >= 500) logger.error({ id: refusal.id, err: error }, refusal.message);
      response.status(refusal.status).json(encodeError(refusal, service));
    }
  };
  const router = express.Router();
  router.post("/", express.json({ limit: bodyLimit }), answer);
  return router;
}
