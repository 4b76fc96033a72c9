import { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import { SmtpRefusal } from "./refusals.ts";

/** An enhanced status code (RFC 3463) that a text begins with. */
const statusCode = /^[245]\.\d{1,3}\.\d{1,3} /;

/** smtp-server's connection, with replies as we want them. */
export class Session extends SMTPConnection {
  /** Called once the connection is gone. Events of the socket do not tell: STARTTLS takes all its listeners away. */
  onGone: () => void = () => undefined;
  #isLastReply = false;

  /** Where our text brings its own enhanced status code, the library must not put its general one before it. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    // After STARTTLS' 220 this socket is TLS': nothing may be held back then.
    if (code === 220) this._socket.uncork();
    else this.#gather();
    const isComplete = typeof data === "string" && statusCode.test(data);
    super.send(code, data, isComplete ? false : context);
    // 220 and 354 ask for more, and what they ask for ends in another reply.
    if (this.#isLastReply && code !== 220 && code !== 354 && !this._closing) this.#sayGoodbye();
  }

  /** Ends the session as soon as what is in hand has its reply: at once when nothing is. */
  finish(): void {
    this.#isLastReply = true;
    if (!this._handlerPending && !this._dataStream && !this._closing) this.#sayGoodbye();
  }

  /** Breaks the connection off, except in the middle of a TLS handshake, which Node does not survive. */
  abort(): void {
    if (!this._upgrading) this._socket.destroy();
  }

  override _onClose(): void {
    super._onClose();
    this.onGone();
    this.onGone = () => undefined;
  }

  /** Replies to pipelined commands that come in one turn leave in one packet (RFC 2920 section 3.2). */
  #gather(): void {
    const socket = this._socket;
    if (socket.writableCorked > 0) return;
    socket.cork();
    setImmediate(() => socket.uncork());
  }

  #sayGoodbye(): void {
    const { responseCode, message } = new SmtpRefusal("stopping");
    this.send(responseCode, message);
  }
}
