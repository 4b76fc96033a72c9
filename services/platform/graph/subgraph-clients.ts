import { Outage, ServiceError } from "../errors.ts";
import { callPeer } from "../rpc/call-peer.ts";
import { jsonOf, type Send } from "../rpc/send.ts";
import { decodeError, isWireError } from "../rpc/wire-errors.ts";
import type { SubgraphAnswer, SubgraphClient, SubgraphQuery, SubgraphServer } from "./subgraph-server.ts";

/**
 * A subgraph of the same process. Variables are encoded and decoded all the same, so that both ways mean one thing, and the rest is text; what comes out
 * was made for this answer, down to its strings and numbers.
 */
export function inProcessSubgraph(load: () => Promise<SubgraphServer>): SubgraphClient {
  return async (query, options) => {
    const server = await load();
    return server.execute({ ...query, variables: encoded(query.variables) }, options?.disconnected);
  };
}

function encoded<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

interface HttpSubgraphOptions {
  /** The peer's base URL; its subgraph is under /graphql/<service>. */
  url: string;
  service: string;
  timeoutMs: number;
  token(): string;
  send: Send;
}

/** A subgraph of another process: a deadline, the trace, and a signed service token. @throws Refusal, or Outage */
export function httpSubgraph({ url, service, timeoutMs, token, send }: HttpSubgraphOptions): SubgraphClient {
  return async (query, { disconnected, waitMs = 0 } = {}) => {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${token()}`,
    };
    const body = JSON.stringify(query);
    const request = { method: "POST", headers, body, timeoutMs: timeoutMs + waitMs, signal: disconnected } as const;
    try {
      const options = { isSafe: !changes(query), send };
      const response = await callPeer(`graph ${service}`, `${url}/graphql/${service}`, request, options);
      const answer = await jsonOf(response);
      if (isWireError(answer)) throw decodeError(answer);
      if (response.statusCode !== 200)
        throw new Outage(service, { operator: `the subgraph answered ${response.statusCode}` });
      return answer as SubgraphAnswer;
    } catch (error) {
      throw error instanceof ServiceError ? error : new Outage(service, { cause: error });
    }
  };
}

function changes({ query }: SubgraphQuery): boolean {
  return /^\s*mutation\b/.test(query);
}
