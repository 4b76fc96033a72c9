import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { StringDecoder } from "node:string_decoder";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { coalesceBuffers } from "../../platform/buffers.ts";
import { messageOf } from "../../platform/errors.ts";
import { type Reply, ReplyReader } from "./reply.ts";

/** RFC 9325 section 3.5: a server could ask for one after the other, and have us compute for as long as a reply is waited for. */
const oneHandshake = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

interface Waiter {
  timeoutMs: number;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/**
 * An SMTP connection: commands out, replies in, in order. There is one deadline at a time, and only a complete reply moves
 * it, so that a server that sends its reply octet by octet cannot hold us.
 */
export class SmtpConnection {
  #socket: Socket;
  #reader = new ReplyReader();
  /** Puts a character together again whose octets came apart. */
  readonly #decoder = new StringDecoder("utf8");
  #waiters: Waiter[] = [];
  #deadline: NodeJS.Timeout | undefined;
  #closeReason: Error | undefined;
  readonly remoteAddress: string;
  readonly #listeners = {
    data: (chunk: Buffer) => this.#onData(this.#decoder.write(chunk)),
    error: (error: Error) => this.close(error),
    end: () => this.close(new Error("the server closed the connection")),
    close: () => this.close(new Error("the connection was lost")),
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    this.remoteAddress = socket.remoteAddress ?? "";
    socket.setNoDelay(true);
    this.#listen(socket, "on");
    if (socket.destroyed) this.close(new Error("the connection was lost"));
  }

  /** Why the connection was closed or lost; undefined while it is open. */
  get closeReason(): Error | undefined {
    return this.#closeReason;
  }

  get isSecure(): boolean {
    return "encrypted" in this.#socket;
  }

  /** False when `drained` should be awaited before more is written. */
  write(data: string | Buffer): boolean {
    return this.#closeReason ? true : this.#socket.write(data);
  }

  /** Writes what is in memory anyway with one system call. */
  writeCorked(pieces: readonly Buffer[]): void {
    this.#socket.cork();
    for (const piece of coalesceBuffers(pieces)) this.write(piece);
    this.#socket.uncork();
  }

  /** The next reply; several may be awaited at once, for commands that were sent together (RFC 2920). */
  reply(timeoutMs: number): Promise<Reply> {
    if (this.#closeReason) return Promise.reject(this.#closeReason);
    if (this.#waiters.length === 0) this.setDeadline(timeoutMs);
    return new Promise((resolve, reject) => this.#waiters.push({ timeoutMs, resolve, reject }));
  }

  /** Closes the connection unless a reply comes within this time from now. */
  setDeadline(timeoutMs: number): void {
    clearTimeout(this.#deadline);
    if (this.#closeReason) return;
    this.#deadline = setTimeout(() => this.close(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  }

  /** Until what was written has left, or the connection is closed. */
  async drained(): Promise<void> {
    if (this.#closeReason || !this.#socket.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#socket.off("drain", done).off("close", done);
        resolve();
      };
      this.#socket.on("drain", done).on("close", done);
    });
  }

  /**
   * Starts TLS. What came in the clear after the 220 may be injected and is refused (RFC 3207 section 6).
   * The certificate is not checked here: see `SessionOptions.checkCertificate`.
   */
  async encrypt(serverName: string, timeoutMs: number): Promise<TLSSocket> {
    // Closed since the reply that was waited for: nothing would tell of it again.
    if (this.#closeReason) throw this.#closeReason;
    const plain = this.#socket;
    const isSilent = this.#reader.isEmpty && this.#decoder.end() === "";
    if (!isSilent) throw new Error("the server talked between its reply to STARTTLS and the handshake");
    this.#listen(plain, "off");
    this.setDeadline(timeoutMs);
    return new Promise((resolve, reject) => {
      const servername = /^[\d.]+$|:/.test(serverName) ? undefined : serverName;
      const options = { servername, host: serverName, rejectUnauthorized: false, ...oneHandshake };
      const socket = connectTls({ socket: plain, ...options });
      this.#socket = socket;
      this.#listen(socket, "on");
      this.#waiters.push({
        timeoutMs,
        resolve: () => reject(new Error("the server talked during the handshake")),
        reject,
      });
      socket.once("secureConnect", () => {
        this.#waiters.pop();
        clearTimeout(this.#deadline);
        resolve(socket);
      });
    });
  }

  /** Closes it at once; pending replies are rejected with the reason. */
  close(reason: Error): void {
    if (this.#closeReason) return;
    this.#closeReason = reason;
    clearTimeout(this.#deadline);
    this.#socket.destroy();
    for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
  }

  #listen(socket: Socket, onOrOff: "on" | "off"): void {
    const { data, error, end, close } = this.#listeners;
    socket[onOrOff]("data", data)[onOrOff]("error", error)[onOrOff]("end", end)[onOrOff]("close", close);
  }

  #onData(chunk: string): void {
    try {
      for (const reply of this.#reader.push(chunk)) {
        const waiter = this.#waiters.shift();
        const [next] = this.#waiters;
        if (next) this.setDeadline(next.timeoutMs);
        else clearTimeout(this.#deadline);
        waiter?.resolve(reply);
        // 421 ends the session (RFC 5321 section 3.8), whether the server closes it or not; an unsolicited reply can be nothing else.
        if (!waiter || reply.code === 421) this.close(new Error(reply.text));
      }
    } catch (error) {
      this.close(new Error(messageOf(error), { cause: error }));
    }
  }
}
