import type { RequestListener } from "node:http";
import type { TLSSocket } from "node:tls";
import express, { type RequestHandler } from "express";
import { asServiceError, Refusal } from "../errors.ts";
import { subgraphRoute } from "../graph/subgraph-route.ts";
import { callListener } from "../rpc/call-listener.ts";
import type { ServiceTokens } from "../rpc/service-tokens.ts";
import { streamListener } from "../rpc/streams.ts";
import { encodeError } from "../rpc/wire-errors.ts";
import type { Module, Readiness } from "../runtime/lifecycle.ts";
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
  readiness: Readiness;
  metrics: Metrics;
  logger: Logger;
}

interface InternalOptions {
  secrets: Secrets;
  tokens: ServiceTokens;
  /** Absent: it listens in the clear. */
  tls: InternalTls | undefined;
}

/** Calls and streams, which are most of what peers ask: express need not look at them. */
const callPath = /^\/(?:rpc|streams)\/[a-z]+(?=\/)/;

/**
 * A peer that is busy sends its next request before it hears that a connection was closed, and one that changes something may not be sent
 * twice. So a service that is replaced waits until peers have left their idle connections: after 1 s (rpc/send).
 */
const peerConnections = { idleLimitMs: 3_000, graceMs: 2_500 };
/** For a peer's request. */
const peerLimitMs = 300_000;

/** Where the peers of a fleet and the probes reach a process: /rpc, /graphql, /streams, health, and the HTTP side of its services. */
export function internalListener(options: ListenerOptions & InternalOptions): Module {
  const { units, settings, readiness, metrics, logger, secrets, tokens, tls } = options;
  const app = express().disable("x-powered-by");
  app.use(healthRoutes(readiness, metrics.expose));
  const refusing = { logger, service: units.map((unit) => unit.definition.name).join("+") };
  if (tls) app.use(requireClientCertificate(refusing));
  /** By the beginning of their path. */
  const calls = new Map<string, RequestListener>();
  const listener: RequestListener = (request, response) => {
    const isKnown = !tls || (request.socket as TLSSocket).authorized;
    const call = isKnown ? calls.get(callPath.exec(request.url ?? "")?.[0] ?? "") : undefined;
    (call ?? app)(request, response);
  };
  // The gateway hands on what clients send as it comes.
  const requestLimitMs = Math.max(peerLimitMs, (settings.REQUEST_TIMEOUT_S + 10) * 1_000);
  const server = new HttpServer(listener, refusing, { tls, requestLimitMs, ...peerConnections });
  return {
    name: "internal listener",
    // Peers call as soon as the services answer; their own calls to peers need no order, since they are made late.
    needs: units.map((unit) => unit.definition.name),
    start: async () => {
      for (const { definition, parts, serve, subgraph } of units) {
        const { contract } = definition;
        calls.set(`/rpc/${contract.service}`, callListener({ service: contract.service, serve, tokens }));
        calls.set(`/streams/${contract.service}`, streamListener(contract, parts.streams ?? {}, secrets));
        if (subgraph) {
          const route = subgraphRoute(contract.service, subgraph, logger.child({ service: contract.service }));
          app.use(`/graphql/${contract.service}`, requireServiceToken(tokens, contract.service), inTrace, route);
        }
        if (parts.http) app.use(parts.http as RequestHandler);
      }
      const port = await server.listen("INTERNAL_PORT", settings.INTERNAL_PORT);
      logger.info({ port }, "listening for peers");
    },
    stop: () => closeServer(server, units, settings),
  };
}

/** What `healthRoutes` answers, as express matches it. */
const probePath = /^(?:https?:\/\/[^/?]*)?\/(?:healthz|readyz|servingz|metrics)\/?(?:\?|$)/i;

/** HTTP_PORT: health, metrics, and what the public service answers; the last to open and the first to close. */
export function publicListener({ units, settings, readiness, metrics, logger }: ListenerOptions): Module[] {
  const publicUnits = units.filter((unit) => unit.definition.isPublic);
  return publicUnits.map((unit) => {
    const app = express().disable("x-powered-by");
    app.use(healthRoutes(readiness, metrics.exposeUnnamed));
    let answer: RequestListener = app;
    const headers = transportSecurity(settings.PUBLIC_URL);
    const listener: RequestListener = (request, response) => answer(request, response);
    const refusing = { logger, service: unit.definition.name, headers };
    const server = new HttpServer(listener, refusing, { requestLimitMs: settings.REQUEST_TIMEOUT_S * 1_000 });
    return {
      name: "public HTTP",
      needs: units.map((each) => `${each.definition.name} listeners`),
      start: async () => {
        const { publicHttp, isBehindProxy = false } = unit.parts;
        if (publicHttp) {
          const trace = traced(metrics, isBehindProxy);
          app.use(trace, publicHttp as RequestHandler);
          // What is no probe goes to the service without a look by express.
          const answerTraced: RequestListener = (request, response) => {
            try {
              publicHttp(request, response);
            } catch (error) {
              void refuse(asServiceError(error), request, response, refusing);
            }
          };
          answer = (request, response) =>
            probePath.test(request.url ?? "")
              ? app(request, response)
              : trace(request, response, () => answerTraced(request, response));
        }
        await server.listen("HTTP_PORT", settings.HTTP_PORT);
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

/**
 * Streams that live as long as their reader likes would hold the server open until its time is up. That is STOP_TIMEOUT_S; half of it where
 * listeners of mail are closed after it, which have the other half.
 */
function closeServer(server: HttpServer, units: readonly ServiceUnit[], settings: Settings): Promise<void> {
  const isAlone = units.every(({ parts }) => (parts.listeners ?? []).length === 0);
  const closed = server.close(settings.STOP_TIMEOUT_S * (isAlone ? 1_000 : 500));
  for (const { parts } of units) parts.endStreams?.();
  return closed;
}

/** What follows it requires a client certificate of the installation's authority; probes are answered before it and have none. */
function requireClientCertificate(refusing: RefusalContext): RequestHandler {
  return (request, response, next) => {
    if ((request.socket as TLSSocket).authorized) next();
    else
      void refuse(new Refusal("Forbidden", { public: "A client certificate is needed." }), request, response, refusing);
  };
}

/** Lets in services of this installation alone. */
function requireServiceToken(tokens: ServiceTokens, service: string): RequestHandler {
  return (request, response, next) => {
    try {
      tokens.check(request.headers.authorization, service);
    } catch (error) {
      const refusal = asServiceError(error);
      response.status(refusal.status).json(encodeError(refusal, service));
      return;
    }
    next();
  };
}
