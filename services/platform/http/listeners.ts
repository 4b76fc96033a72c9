import type { TLSSocket } from "node:tls";
import { createExpressMiddleware } from "@trpc/server/adapters/express";
import express, { type RequestHandler } from "express";
import { asServiceError, Refusal } from "../errors.ts";
import { subgraphRoute } from "../graph/clients.ts";
import { createRouter } from "../rpc/router.ts";
import { streamRoutes } from "../rpc/streams.ts";
import type { ServiceTokens } from "../rpc/token.ts";
import { encodeError } from "../rpc/wire-errors.ts";
import type { Module, Waiting } from "../runtime/lifecycle.ts";
import type { ServiceUnit } from "../runtime/service-unit.ts";
import type { Settings } from "../runtime/settings.ts";
import type { InternalTls } from "../security/internal-tls.ts";
import type { Secrets } from "../security/secrets.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { healthRoutes } from "./health.ts";
import { type RefusalContext, refuse } from "./refuse.ts";
import { inTrace, traced } from "./request-telemetry.ts";
import { HttpServer } from "./server.ts";

interface ListenerOptions {
  units: readonly ServiceUnit[];
  settings: Settings;
  waiting(): Promise<Waiting[]>;
  metrics: Metrics;
  logger: Logger;
}

interface InternalOptions {
  secrets: Secrets;
  tokens: ServiceTokens;
  /** Absent: it listens in the clear. */
  tls: InternalTls | undefined;
}

/** RPC bodies hold a recorded call at most: 10 MiB, a third more in base64. */
const rpcBodyLimitBytes = 16 * 1024 * 1024;

/** Where the peers of a fleet and the probes reach a process: /rpc, /graphql, /streams, health, and the HTTP side of its services. */
export function internalListener(options: ListenerOptions & InternalOptions): Module {
  const { units, settings, waiting, metrics, logger, secrets, tokens, tls } = options;
  const app = express().disable("x-powered-by");
  app.use(healthRoutes(waiting, metrics.expose));
  const refusing = { logger, service: units.map((unit) => unit.definition.name).join("+") };
  if (tls) app.use(certified(refusing));
  const server = new HttpServer(app, refusing, tls);
  return {
    name: "internal listener",
    // Peers call as soon as the services answer; their own calls to peers need no order, since they are made late.
    needs: units.map((unit) => unit.definition.name),
    start: async () => {
      for (const { definition, parts, serve, subgraph } of units) {
        const { contract } = definition;
        const router = createRouter(contract, serve);
        app.use(
          `/rpc/${contract.service}`,
          guarded(tokens, contract.service),
          inTrace,
          createExpressMiddleware({ router, maxBodySize: rpcBodyLimitBytes, allowMethodOverride: true }),
        );
        if (subgraph) {
          const route = subgraphRoute(contract.service, subgraph, logger.child({ service: contract.service }));
          app.use(`/graphql/${contract.service}`, guarded(tokens, contract.service), inTrace, route);
        }
        app.use(streamRoutes(contract, parts.streams ?? {}, secrets));
        if (parts.http) app.use(parts.http as RequestHandler);
      }
      const port = await server.listen(settings.INTERNAL_PORT);
      logger.info({ port }, "listening for peers");
    },
    stop: () => closeServer(server, units, settings),
  };
}

/** HTTP_PORT: health, metrics, and what the front service answers; the last to open and the first to close. */
export function publicListener({ units, settings, waiting, metrics, logger }: ListenerOptions): Module[] {
  const fronts = units.filter((unit) => unit.definition.isFrontDoor);
  return fronts.map((unit) => {
    const app = express().disable("x-powered-by");
    app.use(healthRoutes(waiting, metrics.exposeUnnamed));
    const headers = transportSecurity(settings.PUBLIC_URL);
    const server = new HttpServer(app, { logger, service: unit.definition.name, headers });
    return {
      name: "front door",
      needs: units.map((each) => `${each.definition.name} listeners`),
      start: async () => {
        const { front, isBehindProxy = false } = unit.parts;
        if (front) app.use(traced(metrics, isBehindProxy), front as RequestHandler);
        await server.listen(settings.HTTP_PORT);
        logger.info({ url: settings.PUBLIC_URL }, "listening for clients");
      },
      stop: () => closeServer(server, units, settings),
    };
  });
}

/** RFC 6797: browsers come back by https alone, for a year. Browsers ignore it over plain http. */
function transportSecurity(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith("https://") ? { "strict-transport-security": "max-age=31536000" } : {};
}

/** Streams that live as long as their reader likes would hold the server open until its time is up. */
function closeServer(server: HttpServer, units: readonly ServiceUnit[], settings: Settings): Promise<void> {
  const closed = server.close(settings.STOP_TIMEOUT_S * 1000);
  for (const { parts } of units) parts.endStreams?.();
  return closed;
}

/** What follows it requires a client certificate of the installation's authority; probes are answered before it and have none. */
function certified(refusing: RefusalContext): RequestHandler {
  return (request, response, next) => {
    if ((request.socket as TLSSocket).authorized) next();
    else
      void refuse(new Refusal("Forbidden", { public: "A client certificate is needed." }), request, response, refusing);
  };
}

/** Lets in services of this installation alone. */
function guarded(tokens: ServiceTokens, service: string): RequestHandler {
  return (request, response, next) => {
    try {
      tokens.check(request.headers.authorization, service);
    } catch (error) {
      const refusal = asServiceError(error);
      response.status(refusal.status).json({
        error: { code: -32_003, message: refusal.publicMessage, data: { refusal: encodeError(refusal, service) } },
      });
      return;
    }
    next();
  };
}
