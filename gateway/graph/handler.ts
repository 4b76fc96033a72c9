import type { IncomingMessage, ServerResponse } from "node:http";
import { type ApolloServer, HeaderMap, type HTTPGraphQLRequest } from "@apollo/server";
import { asServiceError, Refusal, type ServiceError } from "../../services/platform/errors.ts";
import type { CallerStatements } from "../../services/platform/graph/caller-statement.ts";
import { errorExtensions } from "../../services/platform/graph/error-codes.ts";
import { browserName } from "../../services/platform/http/browser-name.ts";
import { isClientAbort } from "../../services/platform/http/client-abort.ts";
import type { DeviceCookie } from "../../services/platform/http/device-cookie.ts";
import { readBody } from "../../services/platform/http/read-body.ts";
import type { SessionCookie } from "../../services/platform/http/session-cookie.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import { withSpan } from "../../services/platform/telemetry/spans.ts";
import { clientAddress } from "../client-address.ts";
import type { CallerAuthenticator } from "./caller-authenticator.ts";
import type { GraphContext } from "./context.ts";

interface GraphHttpOptions {
  server: ApolloServer<GraphContext>;
  authenticator: CallerAuthenticator;
  cookie: SessionCookie;
  deviceCookie: DeviceCookie;
  statements: CallerStatements;
  trustedHops: number;
  logger: Logger;
}

/** A query and its variables; files travel otherwise. Little is read and parsed of clients without credentials, who have less to ask. */
export const bodyLimitBytes = { known: 256 * 1024, unknown: 64 * 1024 };

/** /graphql: who is asking, the query itself, and what becomes of the browser's session. */
export function graphHandler(options: GraphHttpOptions) {
  return (request: IncomingMessage, response: ServerResponse) =>
    withSpan("graphql", {}, () => answer(request, response, options));
}

async function answer(request: IncomingMessage, response: ServerResponse, options: GraphHttpOptions): Promise<void> {
  const { server, authenticator, cookie, deviceCookie, statements, trustedHops, logger } = options;
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  try {
    const { caller, isStale } = await authenticator.identify(request.headers);
    const isKnown = caller?.isFullyAuthenticated ?? false;
    const httpGraphQLRequest = await graphRequest(request, isKnown ? bodyLimitBytes.known : bodyLimitBytes.unknown);
    const browser = browserName(request.headers["user-agent"]);
    const device = deviceCookie.read(request.headers.cookie);
    const statement = statements.sign({ caller, clientAddress: clientAddress(request, trustedHops), browser, device });
    const session = isStale ? { change: { token: null } } : {};
    const context: GraphContext = { statement, session, disconnected: disconnected.signal };
    const outcome = await server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context });
    const { change } = context.session;
    if (change)
      response.setHeader("set-cookie", [cookie.write(change), ...(change.token ? [deviceCookie.write(device)] : [])]);
    for (const [name, value] of outcome.headers) response.setHeader(name, value);
    response.setHeader("cache-control", "no-store");
    const body = outcome.body.kind === "complete" ? outcome.body.string : "";
    response.writeHead(outcome.status ?? 200, { "content-length": Buffer.byteLength(body) }).end(body);
  } catch (error) {
    if (isClientAbort(error, request, response)) response.destroy();
    else refuse(asServiceError(error), response, logger);
  }
}

/** @throws Refusal MalformedRequest, BodyTooLarge */
async function graphRequest(request: IncomingMessage, limitBytes: number): Promise<HTTPGraphQLRequest> {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  const search = new URL(request.url ?? "/", "http://localhost").search;
  const method = request.method ?? "GET";
  const text = (await readBody(request, limitBytes)).toString("utf8");
  return { method: method.toUpperCase(), headers, search, body: text === "" ? undefined : parsed(text) };
}

/** @throws Refusal MalformedRequest */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refusal("MalformedRequest", { public: "The body is not JSON.", cause });
  }
}

/** What is refused before GraphQL sees it, in GraphQL's form and with REST's status. */
export function refuse(refusal: ServiceError, response: ServerResponse, logger: Logger): void {
  const entry = { id: refusal.id, kind: refusal.kind, status: refusal.status };
  if (refusal.status >= 500) logger.error({ ...entry, err: refusal.cause ?? refusal }, refusal.message);
  else logger.info(entry, refusal.message);
  if (refusal.retryAfterS !== undefined) response.setHeader("retry-after", String(refusal.retryAfterS));
  response.writeHead(refusal.status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });
  response.end(
    JSON.stringify({ errors: [{ message: refusal.publicMessage, extensions: errorExtensions(refusal, "gateway") }] }),
  );
}
