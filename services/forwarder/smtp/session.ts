import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { MessageContent, SmtpEnvelope } from "../transports/transport.ts";
import { SmtpConnection } from "./connection.ts";
import { isAsGoodAs, type Reply } from "./reply.ts";
import { SmtpFailure, type Stage } from "./smtp-failure.ts";
import { transact } from "./transaction.ts";

/** How long each answer is waited for, in milliseconds (RFC 5321 section 4.5.3.2). */
export interface SmtpTimeouts {
  connectMs: number;
  /** Each reply before RCPT: greeting, EHLO, STARTTLS, AUTH and MAIL. Far less than the RFC's five minutes. */
  handshakeMs: number;
  /** The replies to RCPT, DATA and RSET. */
  commandMs: number;
  /** Between two blocks of the message. */
  blockMs: number;
  /** After the final dot: to give up early is to deliver twice. */
  endMs: number;
}

export const standardTimeouts: SmtpTimeouts = {
  connectMs: 30_000,
  handshakeMs: 30_000,
  commandMs: 300_000,
  blockMs: 180_000,
  endMs: 600_000,
};

export interface RelayCredentials {
  user: string;
  password: string;
}

export interface SessionOptions {
  /** Our name in EHLO. */
  clientName: string;
  /** The server's name, for SNI and its certificate. */
  serverName: string;
  /** `opportunistic`: if the server offers it (RFC 7435). */
  tls: "off" | "opportunistic" | "required";
  /** Why TLS is off with a server that offers it. */
  tlsFailure?: SmtpFailure;
  /** What is wrong with the certificate; absent where none is looked at. */
  checkCertificate?(socket: TLSSocket): Error | undefined;
  credentials?: RelayCredentials;
  timeouts: SmtpTimeouts;
}

/** 530 (RFC 3207 section 4), 5.7.10 and 5.7.11 (RFC 5248), or another final refusal that names the command. */
function demandsTls(reply: Reply | undefined): boolean {
  return reply !== undefined && (reply.code === 530 || /^5\d\d (5\.7\.1[01]\b|.*\bSTARTTLS\b)/i.test(reply.text));
}

/** A session with one server, kept open over many messages. */
export class SmtpClientSession {
  readonly #connection: SmtpConnection;
  readonly #options: SessionOptions;
  /** EHLO keywords and their parameters (RFC 5321 section 4.1.1.1). */
  #extensions = new Map<string, string>();
  #messageCount = 0;

  private constructor(socket: Socket, options: SessionOptions) {
    this.#connection = new SmtpConnection(socket);
    this.#options = options;
  }

  /** Greets, encrypts and logs in over a connected socket. @throws SmtpFailure */
  static async open(socket: Socket, options: SessionOptions): Promise<SmtpClientSession> {
    const session = new SmtpClientSession(socket, options);
    try {
      await session.#establish();
      return session;
    } catch (error) {
      session.#connection.close(new Error("the session could not be opened"));
      throw error;
    }
  }

  get isUsable(): boolean {
    return !this.#connection.closeReason;
  }

  /** Messages that were handed over or refused in this session so far. */
  get messageCount(): number {
    return this.#messageCount;
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }

  /** Name and address of the server. */
  get remote(): string {
    return `${this.#options.serverName}[${this.#connection.remoteAddress}]`;
  }

  /**
   * Sends one message and gives the server's reply to it. Afterwards the session is usable, or closed.
   * @throws SmtpFailure; or any error of `content.open()` or its stream
   */
  async send(envelope: SmtpEnvelope, content: MessageContent): Promise<Reply> {
    this.#messageCount += 1;
    try {
      return await transact(this.#connection, this.#extensions, this.#options.timeouts, envelope, content);
    } catch (error) {
      throw this.#withoutTls(error);
    }
  }

  /** A refusal because of the TLS that failed with us is about the two servers, and not about the message: the next session may have it. */
  #withoutTls(error: unknown): unknown {
    const { tlsFailure } = this.#options;
    if (!tlsFailure || !(error instanceof SmtpFailure) || !demandsTls(error.reply)) return error;
    this.quit();
    return new SmtpFailure("tls", {
      cause: new Error(`${error.message} (sent in the clear because TLS failed: ${tlsFailure.message})`, {
        cause: error,
      }),
    });
  }

  /** Sends QUIT without waiting for the reply, and closes the connection. */
  quit(): void {
    this.#connection.write("QUIT\r\n");
    this.#connection.close(new Error("the session was ended"));
  }

  async #establish(): Promise<void> {
    const { tls, serverName, timeouts, checkCertificate, credentials } = this.#options;
    await this.#expect("greeting", 220);
    await this.#hello();
    if (!this.#connection.isSecure && tls !== "off") {
      if (this.#extensions.has("STARTTLS")) await this.#encrypt(serverName, timeouts.handshakeMs, checkCertificate);
      else if (tls === "required")
        throw new SmtpFailure("tls", { cause: new Error(`${serverName} offers no STARTTLS, and TLS is required`) });
    }
    if (credentials) await this.#logIn(credentials);
  }

  async #hello(): Promise<void> {
    const { clientName } = this.#options;
    this.#connection.write(`EHLO ${clientName}\r\n`);
    const reply = await this.#reply("hello");
    if (isAsGoodAs(reply, 250)) {
      const keywords = reply.lines.slice(1).map((line) => /^(\S+) ?(.*)$/.exec(line));
      this.#extensions = new Map(keywords.map((match) => [(match?.[1] ?? "").toUpperCase(), match?.[2] ?? ""]));
      return;
    }
    // RFC 5321 section 3.2: servers of before 1995.
    this.#extensions = new Map();
    this.#connection.write(`HELO ${clientName}\r\n`);
    await this.#expect("hello", 250);
  }

  async #encrypt(serverName: string, timeoutMs: number, check: SessionOptions["checkCertificate"]): Promise<void> {
    this.#connection.write("STARTTLS\r\n");
    await this.#expect("tls", 220);
    try {
      const secured = await this.#connection.encrypt(serverName, timeoutMs);
      const problem = check?.(secured);
      if (problem) throw problem;
    } catch (cause) {
      throw new SmtpFailure("tls", { cause });
    }
    // By TLS 1.3 our part of the handshake ends before the server's: one that fails there closes the connection now.
    await this.#hello().catch((error: SmtpFailure) => {
      throw error.reply ? error : new SmtpFailure("tls", { cause: error });
    });
  }

  /** RFC 4954; PLAIN where it is offered, since inside TLS none is safer. */
  async #logIn({ user, password }: RelayCredentials): Promise<void> {
    const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
    const methods = (this.#extensions.get("AUTH") ?? "").toUpperCase().split(" ");
    if (methods.includes("PLAIN") || !methods.includes("LOGIN")) {
      this.#connection.write(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}\r\n`);
    } else {
      this.#connection.write("AUTH LOGIN\r\n");
      await this.#expect("login", 334);
      this.#connection.write(`${base64(user)}\r\n`);
      await this.#expect("login", 334);
      this.#connection.write(`${base64(password)}\r\n`);
    }
    await this.#expect("login", 235);
  }

  async #expect(stage: Stage, code: number): Promise<void> {
    const reply = await this.#reply(stage);
    if (!isAsGoodAs(reply, code)) throw new SmtpFailure(stage, { reply });
  }

  async #reply(stage: Stage): Promise<Reply> {
    try {
      return await this.#connection.reply(this.#options.timeouts.handshakeMs);
    } catch (cause) {
      throw new SmtpFailure(stage, { cause });
    }
  }
}
