import { type Agent, type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { createProxyServer } from "httpxy";
import { Outage } from "../errors.ts";
import { isConnectionLost } from "../net/connection-lost.ts";
import { type InternalTls, peerAgent } from "../security/internal-tls.ts";
import type { Logger } from "../telemetry/logger.ts";
import { refuse } from "./refuse.ts";

/** More than may wait for mail at once (concurrency/mail-waiters), each of which holds one for up to a minute. */
const maxSockets = 4_096;

/**
 * Hands requests on to a peer's HTTP side, as streams both ways; a peer out of reach is 503 in the contract's shape. One that is
 * replaced closes the connections that it has: what can be asked twice is then asked once more.
 */
export function proxyTo(
  service: string,
  url: string,
  { logger, tls }: { logger: Logger; tls?: InternalTls | undefined },
): RequestListener {
  const agent = peerAgent(tls, { keepAlive: true, maxSockets });
  const unkeptAgent = peerAgent(tls, { keepAlive: false });
  const proxy = createProxyServer({ target: url, xfwd: true });
  const repeated = new WeakSet<IncomingMessage>();
  // Failures to reach the peer are answered below; what is left is a client that went away.
  const handOn = (request: IncomingMessage, response: ServerResponse, agent: Agent) =>
    void proxy.web(request, response, { agent }).catch(() => response.destroy());
  proxy.on("error", (error, request, response) => {
    if (!request || !(response instanceof ServerResponse)) {
      response?.destroy();
      return;
    }
    const isUnanswered = !response.headersSent && !response.destroyed;
    if (isConnectionLost(error) && isUnanswered && isRepeatable(request) && !repeated.has(request)) {
      repeated.add(request);
      // On a connection of its own: the others that were kept may be as dead.
      handOn(request, response, unkeptAgent());
      return;
    }
    void refuse(new Outage(service, { cause: error }), request, response, { logger, service: "gateway" });
  });
  return (request, response) => handOn(request, response, agent());
}

/** Whether asking twice is as good as once: the method is safe (RFC 9110 section 9.2.1), and no body went with the first asking. */
function isRepeatable({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return (method === "GET" || method === "HEAD") && !hasBody;
}
