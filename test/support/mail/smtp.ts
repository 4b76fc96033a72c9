import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

/** A whole reply: lines with a hyphen after the code, then one with a space (RFC 5321 section 4.2.1). */
const wholeReply = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/;

/** An SMTP client that sends exactly the bytes that it is given, and reads whole replies. */
export class SmtpClient {
  #socket: Socket | TLSSocket;
  #received = "";
  #isOver = false;
  #arrived = Promise.withResolvers<void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen();
  }

  /** Connects to 127.0.0.1, from there or from another loopback address, or to another machine; and reads nothing yet. */
  static async connect(port: number, localAddress = "127.0.0.1", host = "127.0.0.1"): Promise<SmtpClient> {
    const socket = connect({ port, host, noDelay: true, ...(host === "127.0.0.1" ? { localAddress } : {}) });
    await once(socket, "connect");
    return new SmtpClient(socket);
  }

  /** Connects, reads the greeting and says EHLO. */
  static async open(port: number, localAddress?: string, host?: string): Promise<SmtpClient> {
    const client = await SmtpClient.connect(port, localAddress, host);
    await client.reply();
    await client.command("EHLO client.example");
    return client;
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** The next whole reply, without its last line end; "" when the server closed the connection instead. */
  async reply(): Promise<string> {
    for (;;) {
      const [reply] = wholeReply.exec(this.#received) ?? [];
      if (reply) {
        this.#received = this.#received.slice(reply.length);
        return reply.slice(0, -2);
      }
      if (this.#isOver) return "";
      await this.#arrived.promise;
    }
  }

  async replies(count: number): Promise<string[]> {
    const replies: string[] = [];
    while (replies.length < count) replies.push(await this.reply());
    return replies;
  }

  command(line: string): Promise<string> {
    this.send(`${line}\r\n`);
    return this.reply();
  }

  /** Sends a message; `content` as it goes over the wire, without its final dot. Gives the replies to RCPT and DATA. */
  async deliver(
    recipients: readonly string[],
    content: string | Uint8Array,
    sender = "author@example.org",
  ): Promise<string[]> {
    await this.command(`MAIL FROM:<${sender}>`);
    const replies: string[] = [];
    for (const recipient of recipients) replies.push(await this.command(`RCPT TO:<${recipient}>`));
    const go = await this.command("DATA");
    if (!go.startsWith("354")) return [...replies, go];
    this.send(content);
    return [...replies, await this.command(".")];
  }

  /** STARTTLS as far as the handshake; any certificate will do. */
  async secure(): Promise<TLSSocket> {
    this.#socket.removeAllListeners();
    const secured = connectTls({ socket: this.#socket, rejectUnauthorized: false });
    await once(secured, "secureConnect");
    this.#socket = secured;
    this.#listen();
    return secured;
  }

  /** Sends pieces no faster than the server takes them. */
  async sendPieces(pieces: Iterable<Uint8Array>): Promise<void> {
    for (const piece of pieces) if (!this.#socket.write(piece)) await once(this.#socket, "drain");
  }

  /** Breaks off without a word. */
  destroy(): void {
    this.#socket.destroy();
  }

  async closed(): Promise<void> {
    if (!this.#socket.closed) await once(this.#socket, "close");
  }

  #listen(): void {
    const wake = () => {
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    };
    this.#socket.on("data", (chunk) => {
      this.#received += chunk.toString("utf8");
      wake();
    });
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.on("close", () => {
      this.#isOver = true;
      wake();
    });
  }
}
