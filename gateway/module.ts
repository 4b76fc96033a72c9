import express from "express";
import { authContract } from "../services/auth/contract.ts";
import { bindingsContract } from "../services/bindings/contract.ts";
import { forwarderContract } from "../services/forwarder/contract.ts";
import { mailboxContract } from "../services/mailbox/contract.ts";
import { CallerStatements } from "../services/platform/graph/caller-statement.ts";
import { DeviceCookie } from "../services/platform/http/device-cookie.ts";
import { SessionCookie } from "../services/platform/http/session-cookie.ts";
import { defineStatelessService } from "../services/platform/service.ts";
import { restContract } from "../services/rest/contract.ts";
import { webhookContract } from "../services/webhook/contract.ts";
import { gatewayConfig } from "./config.ts";
import { accountExport } from "./download/account-export.ts";
import { emailSource } from "./download/email-source.ts";
import { CallerAuthenticator } from "./graph/caller-authenticator.ts";
import { graphHandler } from "./graph/handler.ts";
import { arrivalEvents } from "./live/arrival-events.ts";
import { LiveConnections } from "./live/live-connections.ts";
import { subscriptionStream } from "./live/subscriptions.ts";
import { mtaStsPath, mtaStsPolicy } from "./mta-sts.ts";
import { publicRouter } from "./public-router.ts";
import { localSmtpUrl } from "./web/local-smtp.ts";
import { webApplication } from "./web/web-application.ts";

/** The public HTTP port: serves the graph over all services, the web application on it, and hands REST on. */
export const gateway = defineStatelessService({
  name: "gateway",
  config: gatewayConfig,
  needs: {
    rest: restContract,
    auth: authContract,
    bindings: bindingsContract,
    mailbox: mailboxContract,
    forwarder: forwarderContract,
    webhook: webhookContract,
  },
  contract: { service: "gateway", procedures: {} },
  isPublic: true,
  async build({ config, settings, isPart, secrets, rpc, streams, subgraphs, upstream, logger }) {
    // graphql comes with what runs it, not with what only reads of it (the operator's command).
    const { Graph } = await import("./graph/graph.ts");
    const trustedHops = config.TRUSTED_PROXY_HOPS;
    const cookie = new SessionCookie(settings.PUBLIC_URL);
    const deviceCookie = new DeviceCookie(settings.PUBLIC_URL);
    const authenticator = new CallerAuthenticator(rpc.auth, cookie);
    const bounds = { depth: config.GRAPH_MAX_DEPTH, cost: config.GRAPH_MAX_COST, aliases: config.GRAPH_MAX_ALIASES };
    const graph = new Graph({ subgraphs, bounds, hasIntrospection: config.GRAPH_INTROSPECTION, logger });
    const statements = new CallerStatements(secrets);
    const answer = graphHandler({ graph, authenticator, cookie, deviceCookie, statements, trustedHops, logger });
    const connections = new LiveConnections(authenticator, streams.mailbox);
    const subscriptions = { connections, graph, statements, ...rpc, trustedHops, logger };
    const own = express.Router();
    own.all("/graphql", answer);
    own.get("/events", arrivalEvents(connections));
    for (const method of ["get", "post"] as const) own[method]("/graphql/stream", subscriptionStream(subscriptions));
    own.get("/export", accountExport(authenticator, { ...rpc, streams: streams.mailbox }));
    own.get("/received-emails/:id/source", emailSource(authenticator, rpc.auth, streams.mailbox));
    own.get(mtaStsPath, mtaStsPolicy(rpc.forwarder));
    own.use(
      webApplication({
        publicUrl: settings.PUBLIC_URL,
        smtpUrl: localSmtpUrl(settings, config.SMTP_PORT),
        onPage: () => graph.warmUp(),
      }),
    );
    return {
      isBehindProxy: trustedHops > 0,
      publicHttp: publicRouter({ rest: upstream.rest, own, trustedHops, corsOrigins: config.CORS_ORIGINS, logger }),
      endStreams: () => connections.end(),
      // A gateway of a fleet that cannot answer must not become ready. One process with all services may never be asked.
      start: async () => (isPart ? graph.start() : undefined),
      ready: async () => graph.ready(),
      stop: () => graph.stop(),
    };
  },
});
