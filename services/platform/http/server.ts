import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../errors.ts";
import { listen } from "../net/listen.ts";
import type { InternalTls } from "../security/internal-tls.ts";
import { answerClientError } from "./client-error.ts";
import { type RefusalContext, refuse } from "./refuse.ts";

interface ServerOptions {
  /** Clients may show a certificate of its authority; whether they must is the handler's to say. */
  tls?: InternalTls | undefined;
  /**
   * How long a connection may be idle, in milliseconds. Clients are told. The default is longer than load
   * balancers keep one, so that they never meet a connection just closed.
   */
  idleLimitMs?: number;
  /**
   * How long a request may take to arrive, its body included, in milliseconds; a connection that is opened has as long for its first. Then it is
   * answered 408, and cut.
   */
  requestLimitMs: number;
  /**
   * How long a server that stops still answers on the connections it has, in milliseconds, each answer being the last on its connection: longer
   * than clients keep an idle one, no request is on its way when a connection is closed. Default 0.
   */
  graceMs?: number;
}

/** How often a stopping server looks whether its connections are idle or gone. */
const sweepMs = 50;

/** How often Node looks for requests that are over their time. */
const lookMs = 1_000;

/** An HTTP listener that can be stopped without cutting a request short. */
export class HttpServer {
  readonly #server: Server;
  readonly #graceMs: number;
  #isStopping = false;

  constructor(handler: RequestListener, refusing: RefusalContext, options: ServerOptions) {
    const { tls, idleLimitMs = 75_000, requestLimitMs, graceMs = 0 } = options;
    this.#graceMs = graceMs;
    const begin: RequestListener = (_request, response) => {
      if (this.#isStopping) response.setHeader("connection", "close");
      for (const [name, value] of Object.entries(refusing.headers ?? {})) response.setHeader(name, value);
    };
    // A request without Host is answered here, as every other error is, and not by Node.
    const answer: RequestListener = (request, response) => {
      begin(request, response);
      if (hasOneHost(request)) handler(request, response);
      else void refuse(noHost(), request, response, refusing);
    };
    const limits = {
      requireHostHeader: false,
      requestTimeout: requestLimitMs,
      headersTimeout: requestLimitMs,
      connectionsCheckingInterval: lookMs,
    };
    if (tls) {
      const asking = { ...limits, requestCert: true, rejectUnauthorized: false };
      const server = createTlsServer(asking, answer);
      tls.follow((files) => server.setSecureContext(files));
      this.#server = server;
    } else this.#server = createServer(limits, answer);
    this.#server.on("checkExpectation", (request, response) => {
      begin(request, response);
      void refuse(unmetExpectation(), request, response, refusing);
    });
    this.#server.on("clientError", (error, socket) => answerClientError(error, socket, refusing));
    this.#server.keepAliveTimeout = idleLimitMs;
  }

  /** @returns the port it listens on; with 0, the one that the system chose. @throws ConfigurationError where the port of the variable cannot be had */
  listen(variable: string, port: number): Promise<number> {
    return listen(this.#server, variable, port);
  }

  /** Once its time of grace is over takes no new connection and lets requests in progress finish; after `timeoutMs` in all closes what is left. */
  async close(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    const deadline = setTimeout(() => this.#server.closeAllConnections(), timeoutMs);
    for (const until = performance.now() + this.#graceMs; performance.now() < until && (await this.#hasConnections()); )
      await delay(sweepMs);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const idleSweep = setInterval(() => this.#server.closeIdleConnections(), sweepMs);
    await closed;
    clearInterval(idleSweep);
    clearTimeout(deadline);
  }

  #hasConnections(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count > 0)));
    });
  }
}

/** RFC 9112 section 3.2: exactly one Host in a request of HTTP/1.1; of HTTP/1.0 at most one. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  return count === 1 || (count === 0 && httpVersion === "1.0");
}

function noHost(): Refusal {
  return new Refusal("MalformedRequest", { public: "The request must have one Host header." });
}

/** RFC 9110 section 10.1.1: 100-continue is the one expectation that there is. */
function unmetExpectation(): Refusal {
  return new Refusal("ExpectationFailed", { public: "The request expects something else than 100-continue." });
}
