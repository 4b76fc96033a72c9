import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

interface Load {
  port: number;
  /** Asked in turn on each connection, as they go over the wire. All of them answered are one round. */
  requests: readonly string[];
  durationMs: number;
}

/** Kept open, each with one question at a time. */
const connectionCount = 16;

/** A request as it goes over the wire (RFC 9112). */
export function wireRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): string {
  const fields = Object.entries({ host: "localhost", ...headers, "content-length": String(Buffer.byteLength(body)) });
  return `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

/**
 * Asks as fast as it is answered. Sockets and the least of HTTP, so that who asks takes little of the processors.
 * @returns how many rounds were answered, each answer with 200.
 */
export async function askFor({ port, requests, durationMs }: Load): Promise<number> {
  const asking = await Promise.all(Array.from({ length: connectionCount }, () => Asking.open(port, requests)));
  await delay(durationMs);
  const rounds = await Promise.all(asking.map((each) => each.stop()));
  return rounds.reduce((sum, count) => sum + count, 0);
}

const headEnd = Buffer.from("\r\n\r\n");

/** One connection. */
class Asking {
  readonly #socket: Socket;
  readonly #requests: readonly string[];
  readonly #stopped = Promise.withResolvers<number>();
  #received: Buffer = Buffer.alloc(0);
  /** Of the answer that is coming; 0 while its head is not whole. */
  #wantedBytes = 0;
  #answers = 0;
  #isStopping = false;

  private constructor(socket: Socket, requests: readonly string[]) {
    this.#socket = socket;
    this.#requests = requests;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.once("error", (error) => this.#stopped.reject(error));
    socket.once("close", () => this.#stopped.reject(new Error("the server closed a connection")));
    this.#ask();
  }

  static async open(port: number, requests: readonly string[]): Promise<Asking> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new Asking(socket, requests);
  }

  async stop(): Promise<number> {
    this.#isStopping = true;
    return this.#stopped.promise;
  }

  #ask(): void {
    this.#socket.write(this.#requests[this.#answers % this.#requests.length] ?? "");
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    if (this.#wantedBytes === 0) this.#readHead();
    if (this.#wantedBytes === 0 || this.#received.length < this.#wantedBytes) return;
    this.#received = this.#received.subarray(this.#wantedBytes);
    this.#wantedBytes = 0;
    this.#answers++;
    if (!this.#isStopping) this.#ask();
    else {
      this.#stopped.resolve(Math.floor(this.#answers / this.#requests.length));
      this.#socket.destroy();
    }
  }

  #readHead(): void {
    const end = this.#received.indexOf(headEnd);
    if (end < 0) return;
    const head = this.#received.toString("latin1", 0, end);
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    if (!head.startsWith("HTTP/1.1 200 ") || length === undefined)
      this.#stopped.reject(new Error(`an answer that was not expected:\n${this.#received.toString("latin1", 0, 600)}`));
    this.#wantedBytes = end + headEnd.length + Number(length);
  }
}
