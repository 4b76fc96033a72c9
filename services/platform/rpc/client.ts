import { createTRPCUntypedClient, httpLink, TRPCClientError, type TRPCLink } from "@trpc/client";
import { Outage, type ServiceError } from "../errors.ts";
import { callPeer } from "./call-peer.ts";
import type { Client, Contract, Procedure } from "./contract.ts";
import type { ServiceRouter } from "./router.ts";
import type { Serve } from "./serving.ts";
import type { Fetch } from "./tls-fetch.ts";
import { decodeError, encodeError, isWireError } from "./wire-errors.ts";

/** The client of a service in another process. A refusal of it is thrown as itself; anything else as an outage of it. */
export function httpClient<C extends Contract>(contract: C, options: HttpClientOptions): Client<C> {
  const untyped = createTRPCUntypedClient<ServiceRouter>({ links: [httpServiceLink(contract, options)] });
  return clientOf(contract, async (name, { kind, output }, input) => {
    try {
      return output.parse(await (kind === "query" ? untyped.query(name, input) : untyped.mutation(name, input)));
    } catch (error) {
      throw error instanceof TRPCClientError ? asThrown(error, contract.service) : error;
    }
  });
}

/**
 * The client of a service in this process. What goes in is encoded and decoded all the same, and what comes out is the copy that the
 * contract's schema made of it, so that both ways mean one thing.
 */
export function inProcessClient<C extends Contract>(contract: C, serve: () => Serve): Client<C> {
  return clientOf(contract, async (name, _procedure, input) => {
    try {
      return await serve()(name, encoded(input));
    } catch (error) {
      throw decodeError(encodeError(error, contract.service));
    }
  });
}

function clientOf<C extends Contract>(
  { procedures }: C,
  call: (name: string, procedure: Procedure, input: unknown) => Promise<unknown>,
): Client<C> {
  const calls = Object.entries(procedures).map(([name, procedure]) => [
    name,
    (input: unknown) => call(name, procedure, input),
  ]);
  return Object.fromEntries(calls) as Client<C>;
}

function asThrown(error: TRPCClientError<ServiceRouter>, service: string): ServiceError {
  const wire: unknown = (error.data as { refusal?: unknown } | undefined)?.refusal;
  return isWireError(wire) ? decodeError(wire) : new Outage(service, { cause: error.cause ?? error });
}

/** JSON there and back, as over the wire: undefined members go, dates become strings, nothing is shared. */
function encoded(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

interface HttpClientOptions {
  /** The peer's base URL; its RPC is under /rpc/<service>. */
  url: string;
  timeoutMs: number;
  /** A fresh signed statement of which installation is calling. */
  token(): string;
  /** Sends the request; fetch unless given. */
  send?: Fetch | undefined;
}

/** With a deadline, the trace, and a signed service token; see fetchWithRetry for what is asked again. */
function httpServiceLink(
  { service, procedures }: Contract,
  { url, timeoutMs, token, send }: HttpClientOptions,
): TRPCLink<ServiceRouter> {
  return httpLink({
    url: `${url}/rpc/${service}`,
    methodOverride: "POST",
    headers: () => ({ authorization: `Bearer ${token()}` }),
    fetch: (input, init) => {
      const procedure = new URL(String(input)).pathname.split("/").at(-1) ?? "";
      const request = { ...(init as RequestInit), signal: AbortSignal.timeout(timeoutMs) };
      const isSafe = procedures[procedure]?.kind === "query";
      return callPeer(`${service}.${procedure}`, String(input), request, { isSafe, send });
    },
  });
}
