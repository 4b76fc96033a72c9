import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** As a Service of Kubernetes: a connection goes to the process that is ready when it is made, and stays with it. */
export class ServiceAddress {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on("connection", (client: Socket) => this.#join(client));
  }

  /** @param port of the process that is ready first */
  static async open(port: number): Promise<ServiceAddress> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new ServiceAddress(server, port);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** New connections go there from now on. */
  leadTo(port: number): void {
    this.#port = port;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket): void {
    const process = connect({ port: this.#port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    client.pipe(process).pipe(client);
    for (const [socket, other] of [
      [client, process],
      [process, client],
    ] as const) {
      this.#open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => this.#open.delete(socket));
    }
  }
}
