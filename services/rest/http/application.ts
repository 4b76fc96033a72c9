import type { RequestListener } from "node:http";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { asServiceError, Refusal } from "../../platform/errors.ts";
import { drain } from "../../platform/http/drain.ts";
import { asHttpError, methodNotAllowed } from "../../platform/http/http-refusals.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { credentialInForce, whileInForce } from "../../platform/http/while-in-force.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { SpanKind, setServerStatus, withSpan } from "../../platform/telemetry/spans.ts";
import { wordingOf } from "../compatibility/error-wording.ts";
import type { Services } from "../services.ts";
import { withBody } from "./body.ts";
import { identify } from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import { originOf } from "./origin.ts";
import { sendJson } from "./send.ts";
import { namingMember } from "./validate.ts";

interface ApplicationOptions {
  endpoints: readonly Endpoint[];
  /** What else is served: the documentation, the page behind a verification link. */
  pages: readonly Router[];
  services: Services;
  logger: Logger;
}

/** The route, not the path, which holds ids and tokens. */
const spanOptions = (request: Request, route: string) => ({
  kind: SpanKind.SERVER,
  parent: request.headers,
  attributes: { "http.request.method": request.method, "http.route": route },
});

/** Serves endpoints: routing, credentials, validation, responses; every error in the contract's shape. */
export function restApplication({ endpoints, pages, services, logger }: ApplicationOptions): RequestListener {
  const app = express().disable("x-powered-by").disable("etag");
  const refusing = { logger, service: "rest" };
  app.use(["/api", "/addy", "/gapi"], (_request, response, next) => {
    // Responses hold tokens, addresses and mail: no cache keeps them, and no browser takes them for a page.
    response.setHeader("cache-control", "no-store");
    response.setHeader("x-content-type-options", "nosniff");
    next();
  });
  for (const [path, ofPath] of Map.groupBy(endpoints, (each) => each.path)) {
    // `app.all` would keep a handler for each of 34 methods.
    app.route(path.replaceAll(/\{(\w+)\}/g, ":$1")).all((request, response) =>
      withSpan(`${request.method} ${path}`, spanOptions(request, path), async (span) => {
        const chosen = endpointFor(ofPath, request.method);
        try {
          if (!chosen) throw methodNotAllowed(allowed(ofPath), response);
          await serve(chosen, request, response, services);
        } catch (error) {
          const refusal = namingMember(asServiceError(error), chosen ?? {});
          await refuse(refusal, request, response, { ...refusing, ...wordingOf(chosen ?? ofPath[0]) });
        }
        setServerStatus(span, response.statusCode);
      }),
    );
  }
  for (const page of pages) app.use(page);
  app.use(() => {
    throw new Refusal("NotFound", { public: "There is nothing at this address." });
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refuse(asHttpError(error), request, response, refusing),
  );
  return app;
}

function endpointFor(endpoints: readonly Endpoint[], method: string): Endpoint | undefined {
  return endpoints.find(
    (each) => each.method === method || each.method === "ANY" || (each.method === "GET" && method === "HEAD"),
  );
}

async function serve(chosen: Endpoint, request: Request, response: Response, services: Services): Promise<void> {
  const { caller, bearer } = await identify(request.headers, chosen, services.auth);
  const query = new URL(request.originalUrl, "http://localhost").searchParams;
  const path = request.params as Record<string, string>;
  const origin = originOf(request);
  const inForce = caller ? credentialInForce(caller, chosen.scope, services.auth) : async () => undefined;
  const outcome = await withBody(chosen, request, { ...services, ...origin }, (body) =>
    chosen.handle({
      request,
      response,
      services,
      path,
      query,
      body,
      ...origin,
      caller: caller as never,
      bearer: bearer as never,
      requireInForce: inForce,
    }),
  );
  if (!outcome) return;
  if (!(await drain(request))) response.setHeader("connection", "close");
  const { status, document, json = document === undefined ? undefined : JSON.stringify(document) } = outcome;
  if (json === undefined) response.writeHead(status).end();
  else await sendJson(response, status, typeof json === "string" ? json : whileInForce(json, inForce));
}

function allowed(endpoints: readonly Endpoint[]): string[] {
  return endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
