import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import type { KeyPair } from "../tls/self-signed.ts";
import type { SmtpRefusal } from "./refusals.ts";
import { SmtpServerSession } from "./smtp-server-session.ts";

/** Handles the commands of a mail transaction. Each resolves, or rejects with the SmtpRefusal to be sent. */
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

interface SmtpServerOptions {
  /** The host name in the greeting and in the reply to EHLO. */
  name: string;
  sizeLimitBytes: number;
  recipientLimit: number;
  idleTimeoutMs: number;
  /** For STARTTLS. */
  keyPair: KeyPair;
}

type Callback = (refusal?: Error | null) => void;

/** smtp-server with our handler. It does not listen: SmtpListener accepts connections and passes them to `serve`. */
export class SmtpServer extends SMTPServer {
  readonly #sessions = new Set<SmtpServerSession>();

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
      // There is no authentication; WIZ, SHELL and KILL are jokes of the library.
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

  /** Starts a session on an accepted socket; `onGone` is called once its connection is closed. */
  serve(socket: Socket, client: SMTPConnectionOptions, onGone: () => void): void {
    const session = new SmtpServerSession(this, socket, client);
    this.connections.add(session);
    this.#sessions.add(session);
    session.onGone = () => {
      this.#sessions.delete(session);
      onGone();
    };
    session.on("error", (error) => this._onError(error));
    session.init();
  }

  /** Replaces the key pair for later handshakes. */
  replaceKeyPair(keyPair: KeyPair): void {
    this.updateSecureContext({ ...keyPair });
  }

  /** Ends every session after the reply to its current command or message. */
  finish(): void {
    for (const session of this.#sessions) session.finish();
  }

  /** Closes the connections that are left. */
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
