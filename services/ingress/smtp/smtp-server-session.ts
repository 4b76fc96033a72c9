import { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import type { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { readDataAtOnce } from "./data-reader.ts";
import { withoutQuotedLocalPart } from "./quoted-local-part.ts";
import { SmtpRefusal } from "./refusals.ts";

/** A reply text that begins with an enhanced status code (RFC 3463). */
const statusCode = /^[245]\.\d{1,3}\.\d{1,3} /;
/** Parameters of MAIL of the extensions that the reply to EHLO offers; RCPT has none. */
const mailParameters: ReadonlySet<string> = new Set(["SIZE", "BODY", "SMTPUTF8"]);
/** With so many octets of replies unsent no further command is read: the client does not read what it is answered. */
const unsentReplyBytes = 16 * 1024;
type ParsedPath = Parameters<SMTPConnection["_rejectInvalidParams"]>[0];

/** smtp-server's connection with our own status codes, replies in one packet, and an orderly end. */
export class SmtpServerSession extends SMTPConnection {
  /** Called once the connection is closed. The socket's events cannot be used: STARTTLS removes all listeners. */
  onGone: () => void = () => undefined;
  #isLastReply = false;

  /** If the text has an enhanced status code of its own, the library must not add its general one. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    // After the 220 to STARTTLS the socket belongs to TLS: nothing may stay corked.
    if (code === 220) this._socket.uncork();
    else this.#gather();
    const isComplete = typeof data === "string" && statusCode.test(data);
    super.send(code, data, isComplete ? false : context);
    // After 220 and 354 another reply follows.
    if (this.#isLastReply && code !== 220 && code !== 354 && !this._closing) this.#sayGoodbye();
  }

  /** Ends the session after the reply to the current command or message; at once if there is none. */
  finish(): void {
    this.#isLastReply = true;
    if (!this._handlerPending && !this._dataStream && !this._closing) this.#sayGoodbye();
  }

  /** Closes the connection, except during a TLS handshake: Node crashes then. */
  abort(): void {
    if (!this._upgrading) this._socket.destroy();
  }

  /** Has the library read all but a quoted local part, which it would part at blanks. */
  override _parseAddressCommand(name: string, command: Buffer | string): ParsedPath | false {
    const unquoted = withoutQuotedLocalPart(command.toString());
    if (!unquoted) return super._parseAddressCommand(name, command);
    const parsed = super._parseAddressCommand(name, unquoted.command);
    if (parsed) parsed.address = unquoted.quoted + parsed.address.slice(unquoted.quoted.length);
    return parsed;
  }

  /**
   * Refuses what belongs to an extension that is not offered (RFC 5321 section 4.1.1.11): whoever asks for NOTIFY=NEVER
   * must not believe that it is heeded.
   */
  override _rejectInvalidParams(parsed: ParsedPath, valued: string[], callback: () => void): boolean {
    const isMail = valued.includes("SIZE");
    const isOffered = (name: string) => isMail && mailParameters.has(name);
    if (Object.keys(parsed.args || {}).every(isOffered)) return super._rejectInvalidParams(parsed, valued, callback);
    const { responseCode, message } = new SmtpRefusal("parameterNotOffered");
    this.send(responseCode, message);
    callback();
    return true;
  }

  /** Reads on while replies wait to be sent: the socket's high-water mark of one octet (SmtpListener) holds for writing too. */
  override _whenWritable(next: () => void): void {
    if (this._socket.writableLength < unsentReplyBytes) next();
    else super._whenWritable(next);
  }

  override _createParser(): SMTPStream {
    return readDataAtOnce(super._createParser(), () => this._socket);
  }

  override _onClose(): void {
    super._onClose();
    this.onGone();
    this.onGone = () => undefined;
  }

  /** Sends the replies to pipelined commands of one turn in one packet (RFC 2920 section 3.2). */
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
