import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A call as it came. */
interface TargetCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Answers the nth call, counted from 1; a number is a status. */
export type Responder = (count: number, response: ServerResponse) => number | undefined;

/** An HTTP server on a loopback port that answers as the test says. */
export class Target {
  readonly calls: TargetCall[] = [];
  readonly #server;
  readonly #isSecure: boolean;
  #arrived = Promise.withResolvers<void>();

  private constructor(responder: Responder, tls?: { key: string; cert: string }) {
    const listener = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response, responder);
    this.#server = tls ? createSecureServer(tls, listener) : createServer(listener);
    this.#isSecure = tls !== undefined;
  }

  static async start(responder: Responder, tls?: { key: string; cert: string }): Promise<Target> {
    const target = new Target(responder, tls);
    target.#server.listen(0, "127.0.0.1");
    await once(target.#server, "listening");
    return target;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(host = "127.0.0.1"): string {
    return `${this.#isSecure ? "https" : "http"}://${host}:${this.port}/hook?x=1`;
  }

  /** Waits for so many calls in all. */
  async received(count: number): Promise<TargetCall[]> {
    while (this.calls.length < count) await this.#arrived.promise;
    return this.calls;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse, responder: Responder): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url: path = "", headers } = request;
    this.calls.push({ method, path, headers, body: Buffer.concat(chunks) });
    const status = responder(this.calls.length, response);
    if (status !== undefined) response.writeHead(status).end();
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }
}
