import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answerClientError } from "./client-error.ts";
import type { Refusing } from "./refuse.ts";

/** An HTTP listener that can be stopped without cutting a request short. */
export class HttpServer {
  readonly #server: Server;
  #isStopping = false;

  constructor(handler: RequestListener, refusing: Refusing) {
    this.#server = createServer((request, response) => {
      if (this.#isStopping) response.setHeader("connection", "close");
      handler(request, response);
    });
    this.#server.on("clientError", (error, socket) => answerClientError(error, socket, refusing));
    // Longer than the idle time of the load balancers in front, so that they never meet a connection just closed.
    this.#server.keepAliveTimeout = 75_000;
    this.#server.headersTimeout = 80_000;
  }

  /** @returns the port it listens on; with 0, the one that the system chose. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ port }, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no new connection, lets requests in hand finish for as long as `timeoutMs`, then closes what is left. */
  async close(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const idleSweep = setInterval(() => this.#server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => this.#server.closeAllConnections(), timeoutMs);
    await closed;
    clearInterval(idleSweep);
    clearTimeout(deadline);
  }
}
