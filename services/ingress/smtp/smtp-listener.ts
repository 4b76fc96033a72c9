import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { networkOf, plainAddress } from "../../platform/net/ip-address.ts";
import { listen } from "../../platform/net/listen.ts";
import type { Listener } from "../../platform/service.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { type ProxiedClient, readProxyHeader } from "./proxy-header.ts";
import { SmtpRefusal } from "./refusals.ts";
import type { SmtpServer } from "./smtp-server.ts";

interface ListenerOptions {
  /** 0 lets the system choose. */
  port: number;
  maxConnections: number;
  maxConnectionsPerClient: number;
  /** Clients without a limit of their own. */
  isExempt(address: string): boolean;
  /** Peers whose connections begin with a PROXY header, which names the client. */
  isProxy(address: string): boolean;
  /** How long a stop waits for messages in flight before it closes their connections, in milliseconds. */
  drainTimeoutMs: number;
  logger: Logger;
}

const proxyHeaderTimeoutMs = 5_000;

/** Accepts SMTP connections, limited in total and per client (IPv6: per /64). */
export class SmtpListener implements Listener {
  readonly name = "smtp";
  readonly #options: ListenerOptions;
  readonly #smtp: SmtpServer;
  readonly #server: Server;
  /** Connections whose PROXY header is still to come. */
  readonly #unidentified = new Set<Socket>();
  readonly #perClient = new Map<string, number>();
  #sessions = 0;

  constructor(smtp: SmtpServer, options: ListenerOptions) {
    this.#smtp = smtp;
    this.#options = options;
    // A paused socket reads on up to its high-water mark, piece by piece (data-reader).
    this.#server = createServer({ highWaterMark: 1 }, (socket) => void this.#accept(socket));
    // Clients often disconnect or fail the TLS handshake.
    smtp.on("error", (error) => options.logger.debug({ err: error }, "SMTP connection failed"));
  }

  /** The port that is listened on; 0 before start. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  get openConnections(): number {
    return this.#unidentified.size + this.#sessions;
  }

  async start(): Promise<void> {
    await listen(this.#server, "SMTP_PORT", this.#options.port);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#unidentified) socket.destroy();
    this.#smtp.finish();
    const deadline = setTimeout(() => this.#smtp.abort(), this.#options.drainTimeoutMs);
    await closed;
    clearTimeout(deadline);
  }

  async #accept(socket: Socket): Promise<void> {
    const { isExempt, maxConnections, maxConnectionsPerClient, logger } = this.#options;
    // Until the session adds its own listener.
    socket.on("error", () => socket.destroy());
    if (this.openConnections >= maxConnections) return refuse(socket);
    try {
      const client = await this.#identify(socket);
      const isOneTooMany = (this.#perClient.get(networkOf(client.address)) ?? 0) >= maxConnectionsPerClient;
      if (isOneTooMany && !isExempt(client.address)) return refuse(socket);
      this.#count(client.address, 1);
      const options = { remoteAddress: client.address, remotePort: client.port };
      this.#smtp.serve(socket, options, () => this.#count(client.address, -1));
    } catch (error) {
      logger.debug({ err: error }, "invalid PROXY header");
      socket.destroy();
    }
  }

  async #identify(socket: Socket): Promise<ProxiedClient> {
    const peer = { address: plainAddress(socket.remoteAddress ?? ""), port: socket.remotePort ?? 0 };
    if (!this.#options.isProxy(peer.address)) return peer;
    this.#unidentified.add(socket);
    try {
      const client = (await readProxyHeader(socket, proxyHeaderTimeoutMs)) ?? peer;
      return { ...client, address: plainAddress(client.address) };
    } finally {
      this.#unidentified.delete(socket);
    }
  }

  #count(address: string, change: 1 | -1): void {
    this.#sessions += change;
    const network = networkOf(address);
    const ofClient = (this.#perClient.get(network) ?? 0) + change;
    if (ofClient > 0) this.#perClient.set(network, ofClient);
    else this.#perClient.delete(network);
  }
}

function refuse(socket: Socket): void {
  const { responseCode, message } = new SmtpRefusal("tooManyConnections");
  socket.end(`${responseCode} ${message}\r\n`, () => socket.destroy());
}
