import type { IncomingMessage, ServerResponse } from "node:http";

/** What pages of other origins may call: never what goes by the browser's own session. */
const openPath = /^\/(?:api\/(?:postern\/)?v1|gapi|graphql)(?=[/?]|$)/i;

const preflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers":
    "Authorization, Token, Content-Type, Content-Encoding, Idempotency-Key, Apollo-Require-Preflight, Traceparent",
  // Chromium keeps an answer no longer than this.
  "access-control-max-age": "7200",
};

/** Any origin may ask: password managers are pages of other origins, with a key of their own. */
const everyOriginHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": "authentication, authorization, content-type, x-requested-with",
  "access-control-max-age": "7200",
};

/** Headers of answers that a page may read beside the few that it always may. */
const exposedHeaders = "Allow, Retry-After, WWW-Authenticate, Accept-Encoding, Content-Disposition";

/**
 * Lets pages of the origins given call REST and the graph (WHATWG Fetch, section 3.3 "CORS protocol"), with a token of their
 * own: `Access-Control-Allow-Credentials` is never sent, so that no browser hands its cookies along.
 * @param origins such as https://app.example; `*` for any
 * @returns whether the request was a preflight, which is answered
 */
export function allowOrigins(origins: readonly string[]) {
  const isAllowed = (origin: string) => origins.includes("*") || origins.includes(origin.toLowerCase());
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (origins.length === 0 || !openPath.test(request.url ?? "")) return false;
    response.setHeader("vary", "Origin");
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(origin)) return false;
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-expose-headers", exposedHeaders);
    if (request.method !== "OPTIONS" || !request.headers["access-control-request-method"]) return false;
    response.writeHead(204, preflightHeaders).end();
    return true;
  };
}

/**
 * Lets pages of every origin call what password managers call; never with credentials that a browser keeps.
 * @returns whether the request was a preflight, which is answered
 */
export function allowEveryOrigin(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === "OPTIONS") {
    response.writeHead(204, everyOriginHeaders).end();
    return true;
  }
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", exposedHeaders);
  return false;
}
