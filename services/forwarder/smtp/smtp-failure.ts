import type { Reply } from "./reply.ts";

/**
 * How far a session had come. Up to `login` it is about the server and us; from `sender` on about this one message.
 * `content` lasts from the first octet of the message to the reply to its final dot.
 */
export type Stage = "connect" | "greeting" | "hello" | "tls" | "login" | "sender" | "recipient" | "data" | "content";

/** The server refused something, or the connection to it was lost. */
export class SmtpFailure extends Error {
  readonly stage: Stage;
  /** What the server said; absent when the connection was lost or never came about. */
  readonly reply: Reply | undefined;

  constructor(stage: Stage, { reply, cause }: { reply?: Reply; cause?: unknown }) {
    super(reply?.text ?? (cause instanceof Error ? cause.message : String(cause)), { cause });
    this.name = "SmtpFailure";
    this.stage = stage;
    this.reply = reply;
  }
}
