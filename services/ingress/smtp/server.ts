import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import type { KeyPair } from "../tls/self-signed.ts";
import type { SmtpRefusal } from "./refusals.ts";
import { Session } from "./session.ts";

/** What becomes of the commands that matter to us. Each resolves, or rejects with the refusal to be sent. */
export interface MailHandler {
  /** MAIL FROM; `sender` is "" for a bounce. */
  mail(sender: string, session: SMTPServerSession): Promise<void>;
  /** RCPT TO. */
  recipient(address: string, session: SMTPServerSession): Promise<void>;
  /** DATA; gives the text of the 250. */
  data(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string>;
  /** The connection is closed. */
  closed(session: SMTPServerSession): void;
}

export interface SmtpServerOptions {
  /** What the greeting and EHLO say that we are. */
  name: string;
  sizeLimitBytes: number;
  recipientLimit: number;
  idleTimeoutMs: number;
  /** What STARTTLS offers. */
  keyPair: KeyPair;
}

type Callback = (refusal?: Error | null) => void;

/**
 * smtp-server, speaking for a handler. It never listens: who listens judges each connection first and hands it
 * to `serve`.
 */
export class SmtpServer extends SMTPServer {
  readonly #sessions = new Set<Session>();

  constructor(options: SmtpServerOptions, handler: MailHandler) {
    const { name, sizeLimitBytes, recipientLimit, idleTimeoutMs, keyPair } = options;
    const settings: SMTPServerOptions = {
      name,
      banner: "Postern",
      heloResponse: "%s",
      size: sizeLimitBytes,
      maxRecipients: recipientLimit,
      socketTimeout: idleTimeoutMs,
      hideENHANCEDSTATUSCODES: false,
      disableReverseLookup: true,
      // Nobody signs in here, and the library's jests are not for our clients.
      disabledCommands: ["AUTH", "WIZ", "SHELL", "KILL"],
      logger: false,
      ...keyPair,
      onMailFrom: ({ address }, session, callback) => answer(handler.mail(address, session), callback),
      onRcptTo: ({ address }, session, callback) => answer(handler.recipient(address, session), callback),
      onData: (stream, session, callback) => {
        handler.data(stream, session).then((text) => callback(null, text), callback);
      },
      onClose: (session) => handler.closed(session),
    };
    super(settings);
  }

  /** Begins a session on an accepted socket; `onGone` is called once its connection is closed. */
  serve(socket: Socket, client: SMTPConnectionOptions, onGone: () => void): void {
    const session = new Session(this, socket, client);
    this.connections.add(session);
    this.#sessions.add(session);
    session.onGone = () => {
      this.#sessions.delete(session);
      onGone();
    };
    session.on("error", (error) => this._onError(error));
    session.init();
  }

  /** For handshakes from here on. */
  replaceKeyPair(keyPair: KeyPair): void {
    this.updateSecureContext({ ...keyPair });
  }

  /** Ends every session, each after the reply to what is in hand. */
  finish(): void {
    for (const session of this.#sessions) session.finish();
  }

  /** Breaks off what is left of them. */
  abort(): void {
    for (const session of this.#sessions) session.abort();
  }
}

function answer(outcome: Promise<void>, callback: Callback): void {
  outcome.then(
    () => callback(),
    (refusal: SmtpRefusal) => callback(refusal),
  );
}
