import type { RequestListener } from "node:http";
import express, { type ErrorRequestHandler, type Router } from "express";
import { Refusal } from "../services/platform/errors.ts";
import { asHttpError } from "../services/platform/http/http-refusals.ts";
import { refuse } from "../services/platform/http/refuse.ts";
import type { Logger } from "../services/platform/telemetry/logger.ts";
import { clientAddressHeader } from "../services/rest/contract.ts";
import { clientAddress } from "./client-address.ts";
import { compatibilityTarget } from "./compatibility-paths.ts";
import { allowEveryOrigin, allowOrigins } from "./cors.ts";

/** What rest answers; everything else here is the gateway's own. A request may name the host as well (RFC 9112 section 3.2.2). */
const restPath =
  /^(?:https?:\/\/[^/?]*)?\/(?:api\/(?:postern\/)?v1|gapi|verify|answers|confirm|reset|openapi\.json|docs)(?=[/?]|$)/i;

interface PublicRouterOptions {
  rest: RequestListener;
  /** What the gateway answers itself. */
  own: Router;
  trustedHops: number;
  /** Origins whose pages may call REST and the graph. */
  corsOrigins: readonly string[];
  logger: Logger;
}

/** What HTTP_PORT answers. Paths go on as they came, bodies as streams. */
export function publicRouter({ rest, own, trustedHops, corsOrigins, logger }: PublicRouterOptions): RequestListener {
  const app = express().disable("x-powered-by");
  app.use(own);
  app.use(() => {
    throw new Refusal("NotFound", { public: "There is nothing at this address." });
  });
  app.use(errorHandler(logger));
  const allowConfigured = allowOrigins(corsOrigins);
  return (request, response) => {
    const target = compatibilityTarget(request.url ?? "");
    const allow = target === undefined ? allowConfigured : allowEveryOrigin;
    const isPreflight = allow(request, response);
    if (isPreflight) return;
    if (target !== undefined) request.url = target;
    else if (!restPath.test(request.url ?? "")) return app(request, response);
    // Whatever the client wrote there itself is overwritten.
    request.headers[clientAddressHeader] = clientAddress(request, trustedHops);
    return rest(request, response);
  };
}

/** What goes wrong at the gateway itself, in REST's shape; found again in the logs by its id. Exported for tests. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) =>
    refuse(asHttpError(error), request, response, { logger, service: "gateway" });
}
