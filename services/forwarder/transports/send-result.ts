import { messageOf } from "../../platform/errors.ts";
import { BareLineEnding } from "../smtp/dot-stuffing.ts";
import { SmtpFailure, type Stage } from "../smtp/smtp-failure.ts";
import type { SendResult } from "./transport.ts";

const responseLimit = 500;

/** Stages whose replies are about this message. What comes before is about the two servers, and may be mended. */
const messageStages: ReadonlySet<Stage> = new Set(["sender", "recipient", "data", "content"]);

/** An answer on one line, without control characters, as it is kept and shown. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, responseLimit)
    .toWellFormed();
}

/**
 * What an SMTP failure means for the message. 5yz is final (RFC 5321 section 4.2.1), except 503, a wrong order of commands.
 * 4yz and a lost connection are not, nor after the final dot: a message that comes twice is better than one that is lost.
 */
function resultOfFailure(failure: SmtpFailure, remote: string): SendResult {
  const code = failure.reply?.code ?? 0;
  const isFinal = code >= 500 && code !== 503 && messageStages.has(failure.stage);
  return { kind: isFinal ? "failed" : "deferred", response: oneLine(failure.message), remote };
}

/** The result of a failure of the remote server; any other error is thrown. */
export function resultOf(thrown: unknown, remote = ""): SendResult {
  if (thrown instanceof SmtpFailure) return resultOfFailure(thrown, remote);
  if (thrown instanceof BareLineEnding) return { kind: "failed", response: thrown.message, remote: "" };
  throw thrown;
}

/** When no server could be reached at all: no name, no route, no answer. */
export function unreachable(cause: unknown, isFinal = false): SendResult {
  return { kind: isFinal ? "failed" : "deferred", response: oneLine(messageOf(cause)), remote: "" };
}
