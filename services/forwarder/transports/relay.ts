import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { certificateError } from "../smtp/certificate-error.ts";
import { SessionPool } from "../smtp/pool.ts";
import { type RelayCredentials, SmtpClientSession, type SmtpTimeouts } from "../smtp/session.ts";
import { SmtpFailure } from "../smtp/smtp-failure.ts";
import { sendOverPool } from "./send-over-pool.ts";
import { resultOf } from "./send-result.ts";
import type { OutboundMessage, SendResult, Transport } from "./transport.ts";

interface RelayOptions {
  /** smtp://user:password@host:port, or smtps:// for TLS from the first octet (RFC 8314). */
  url: string;
  clientName: string;
  maxSessions: number;
  timeouts: SmtpTimeouts;
}

const idleMs = 30_000;
const maxMessages = 1_000;

/** Delivers everything to one relay, over sessions that are kept open. */
export class RelayTransport implements Transport {
  readonly maxPerDomain = Number.POSITIVE_INFINITY;
  readonly maxPerOwner = Number.POSITIVE_INFINITY;
  readonly #pool: SessionPool;
  readonly #name: string;

  constructor(options: RelayOptions) {
    const url = new URL(options.url);
    this.#name = url.hostname;
    this.#pool = new SessionPool({
      open: () => openSession(url, options),
      maxSessions: options.maxSessions,
      idleMs,
      maxMessages,
    });
  }

  busySessions(): Iterable<readonly [string, number]> {
    return [[this.#name, this.#pool.busyCount]];
  }

  async send(message: OutboundMessage): Promise<SendResult> {
    try {
      return await sendOverPool(this.#pool, message);
    } catch (error) {
      return resultOf(error);
    }
  }

  async close(): Promise<void> {
    this.#pool.close();
  }
}

async function openSession(url: URL, { clientName, timeouts }: RelayOptions): Promise<SmtpClientSession> {
  const isImplicit = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (isImplicit ? 465 : 25);
  const credentials = credentialsOf(url);
  // A password is never sent in the clear, nor to a server that has not proved its name (RFC 8314 section 3.3).
  const needsTls = credentials !== undefined && !isLoopback(host);
  const socket = await connected(host, port, isImplicit, timeouts.connectMs);
  return SmtpClientSession.open(socket, {
    clientName,
    serverName: host,
    tls: needsTls ? "required" : "opportunistic",
    checkCertificate: needsTls ? certificateError : undefined,
    credentials,
    timeouts,
  });
}

function credentialsOf(url: URL): RelayCredentials | undefined {
  return url.username
    ? { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
    : undefined;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function connected(host: string, port: number, isImplicit: boolean, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? undefined : host;
    const socket = isImplicit
      ? connectTls({ host, port, servername, rejectUnauthorized: !isLoopback(host) })
      : connect({ host, port });
    const fail = (cause: Error) => {
      socket.destroy();
      reject(new SmtpFailure("connect", { cause }));
    };
    socket.setTimeout(timeoutMs, () => fail(new Error(`no connection to ${host} within ${timeoutMs / 1000} s`)));
    // Left on: an error before the session's own listener is added must not be uncaught.
    socket.on("error", fail);
    socket.once(isImplicit ? "secureConnect" : "connect", () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
