import { messageOf } from "../../platform/errors.ts";
import { BareLineEnding } from "../smtp/dot-stuffing.ts";
import { SmtpFailure, type Stage } from "../smtp/smtp-failure.ts";
import type { Outcome } from "./transport.ts";

const responseLimit = 500;

/** Stages whose replies are about this very message. What comes before is about the two servers, and may be mended. */
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
 * What an SMTP failure means for the message. 5yz to it is final (RFC 5321 section 4.2.1), except 503, which says that the
 * two of us lost step. 4yz and a lost connection are not, after the final dot neither: better twice than never.
 */
function outcomeOfFailure(failure: SmtpFailure, remote: string): Outcome {
  const code = failure.reply?.code ?? 0;
  const isFinal = code >= 500 && code !== 503 && messageStages.has(failure.stage);
  return { kind: isFinal ? "failed" : "deferred", response: oneLine(failure.message), remote };
}

/** The outcome of whatever a transport's peer brought about; anything else is thrown on. */
export function outcomeOf(thrown: unknown, remote = ""): Outcome {
  if (thrown instanceof SmtpFailure) return outcomeOfFailure(thrown, remote);
  if (thrown instanceof BareLineEnding) return { kind: "failed", response: thrown.message, remote: "" };
  throw thrown;
}

/** When no server could be reached at all: no name, no route, no answer. */
export function unreachable(cause: unknown, isFinal = false): Outcome {
  return { kind: isFinal ? "failed" : "deferred", response: oneLine(messageOf(cause)), remote: "" };
}
