import type { IncomingMessage, ServerResponse } from "node:http";
import { asServiceError, faultOf, type ServiceError } from "../../services/platform/errors.ts";
import type { CallerStatements, GraphCaller } from "../../services/platform/graph/caller-statement.ts";
import { errorExtensions } from "../../services/platform/graph/error-codes.ts";
import { browserName } from "../../services/platform/http/browser-name.ts";
import { isClientAbort } from "../../services/platform/http/client-abort.ts";
import type { DeviceCookie } from "../../services/platform/http/device-cookie.ts";
import { languageOf } from "../../services/platform/http/language-of.ts";
import { readBody } from "../../services/platform/http/read-body.ts";
import type { SessionCookie } from "../../services/platform/http/session-cookie.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import { withSpan } from "../../services/platform/telemetry/spans.ts";
import { clientAddress } from "../client-address.ts";
import type { CallerAuthenticator } from "./caller-authenticator.ts";
import type { GraphContext } from "./context.ts";
import type { Graph, GraphHttpRequest } from "./graph.ts";
import { parseJson } from "./json.ts";

interface GraphHttpOptions {
  graph: Graph;
  authenticator: CallerAuthenticator;
  cookie: SessionCookie;
  deviceCookie: DeviceCookie;
  statements: CallerStatements;
  trustedHops: number;
  logger: Logger;
}

/** A query and its variables; files travel otherwise. Little is read and parsed of clients without credentials, who have less to ask. */
export const bodyLimitBytes = { known: 256 * 1024, unknown: 64 * 1024 };

/** What Apollo looks at: what was sent, what may be answered, and that no form of another site sent it. */
const apolloHeaders = ["content-type", "accept", "apollo-require-preflight", "x-apollo-operation-name"];

/** /graphql: who is asking, the query itself, and what becomes of the browser's session. */
export function graphHandler(options: GraphHttpOptions) {
  return (request: IncomingMessage, response: ServerResponse) =>
    withSpan("graphql", {}, () => answer(request, response, options));
}

async function answer(request: IncomingMessage, response: ServerResponse, options: GraphHttpOptions): Promise<void> {
  const { graph, authenticator, cookie, deviceCookie, statements, trustedHops, logger } = options;
  const disconnected = new AbortController();
  // It comes after a whole answer as well, and an abort makes an error with its stack.
  response.once("close", () => response.writableFinished || disconnected.abort());
  try {
    const { caller, isStale } = await authenticator.identify(request.headers);
    const isKnown = caller?.isFullyAuthenticated ?? false;
    const asked = await graphRequest(request, isKnown ? bodyLimitBytes.known : bodyLimitBytes.unknown);
    const browser = browserName(request.headers["user-agent"]);
    const device = deviceName(deviceCookie, request, caller);
    const address = clientAddress(request, trustedHops);
    const statement = statements.sign({
      caller,
      clientAddress: address,
      browser,
      device,
      language: languageOf(request),
    });
    const session = isStale ? { change: { token: null } } : {};
    const context: GraphContext = { statement, session, disconnected: disconnected.signal };
    const { status, headers, body } = await graph.answer(asked, { context, asker: caller?.accountId ?? address });
    const { change } = context.session;
    if (change)
      response.setHeader("set-cookie", [
        cookie.write(change),
        ...(change.token && device ? [deviceCookie.write(device)] : []),
      ]);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader("cache-control", "no-store");
    response.writeHead(status, { "content-length": Buffer.byteLength(body) }).end(body);
  } catch (error) {
    if (isClientAbort(error, request, response)) response.destroy();
    else refuse(asServiceError(error), response, logger);
  }
}

/**
 * What the browser is known by. A program that sends its credential has no use for a name, and with a new one for each request each would
 * have a statement of its own to be signed.
 */
function deviceName(cookie: DeviceCookie, { headers }: IncomingMessage, caller: GraphCaller | undefined) {
  const isProgram = caller !== undefined && !caller.isCookie;
  return cookie.read(headers.cookie) ?? (isProgram ? undefined : cookie.newName());
}

/** @throws Refusal MalformedRequest, BodyTooLarge */
async function graphRequest(request: IncomingMessage, limitBytes: number): Promise<GraphHttpRequest> {
  const headers = apolloHeaders.flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]];
  });
  const { method = "GET", url = "/" } = request;
  const at = url.indexOf("?");
  const search = at < 0 ? "" : url.slice(at);
  const text = (await readBody(request, limitBytes)).toString("utf8");
  return { method: method.toUpperCase(), headers, search, text, body: text === "" ? undefined : parseJson(text) };
}

/** What is refused before GraphQL sees it, in GraphQL's form and with REST's status. */
export function refuse(refusal: ServiceError, response: ServerResponse, logger: Logger): void {
  const entry = { id: refusal.id, kind: refusal.kind, status: refusal.status };
  if (refusal.status >= 500) logger.error({ ...entry, err: faultOf(refusal) }, refusal.message);
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
