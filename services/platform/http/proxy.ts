import { Agent, type RequestListener, ServerResponse } from "node:http";
import { createProxyServer } from "httpxy";
import { Outage } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { refuse } from "./refuse.ts";

/** Hands requests on to a peer's HTTP side, as streams both ways; a peer out of reach is 503 in the contract's shape. */
export function proxyTo(service: string, url: string, logger: Logger): RequestListener {
  const proxy = createProxyServer({ target: url, xfwd: true, agent: new Agent({ keepAlive: true, maxSockets: 256 }) });
  proxy.on("error", (error, request, response) => {
    if (!request || !(response instanceof ServerResponse)) {
      response?.destroy();
      return;
    }
    void refuse(new Outage(service, { cause: error }), request, response, { logger, service: "gateway" });
  });
  // Failures to reach the peer are answered above; what is left is a client that went away.
  return (request, response) => void proxy.web(request, response).catch(() => response.destroy());
}
