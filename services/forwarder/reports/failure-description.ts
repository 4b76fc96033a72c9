import type { ReplyClass } from "../replies/classify-reply.ts";
import type { Reason } from "../replies/reasons.ts";
import { replyCodesOf } from "../replies/reply-codes.ts";
import { statusReasons } from "../replies/status-reasons.ts";

/** A failure as it is reported to the author. */
export interface FailureDescription {
  /** An enhanced status code (RFC 3463), permanent. */
  status: string;
  /** The code of the server's reply and the enhanced one, then the reason in words of ours; without a code where no server replied. */
  diagnostic: string;
}

/** For each reason, the enhanced status code and the text of the report. */
const descriptions: Readonly<Record<Reason, readonly [status: string, words: string]>> = {
  "unknown-user": ["5.1.1", "There is no such mailbox"],
  "mailbox-disabled": ["5.2.1", "The mailbox is disabled"],
  "unknown-domain": ["5.1.2", "The domain takes no mail"],
  "mailbox-full": ["5.2.2", "The mailbox is full"],
  "mailbox-busy": ["5.2.1", "The mailbox takes no more messages for now"],
  blocklisted: ["5.7.1", "The server does not accept mail from this forwarding service"],
  "poor-reputation": ["5.7.1", "The server does not accept mail from this forwarding service"],
  "missing-reverse-dns": ["5.7.25", "The server does not accept mail from this forwarding service"],
  "failed-authentication": ["5.7.26", "The server could not verify the sender"],
  "relaying-denied": ["5.7.1", "The server does not accept mail from this forwarding service"],
  "sender-refused": ["5.1.8", "The server does not accept the sender"],
  "tls-required": ["5.7.10", "The server requires encryption"],
  "rate-limited": ["5.7.28", "The server takes no more messages for now"],
  greylisted: ["5.7.1", "The server takes no more messages for now"],
  spam: ["5.7.1", "The message was refused as spam"],
  virus: ["5.7.1", "The message was refused for its content"],
  "forbidden-content": ["5.7.1", "The message was refused for its content"],
  "message-too-large": ["5.3.4", "The message is too large"],
  "malformed-message": ["5.6.0", "The message is malformed"],
  "unsupported-message": ["5.6.1", "The server cannot take a message of this kind"],
  "mail-loop": ["5.4.6", "The message loops"],
  "recipient-policy": ["5.7.2", "The recipient does not accept this message"],
  policy: ["5.7.1", "The message was refused by policy"],
  "server-trouble": ["5.3.0", "The server had trouble"],
  unreachable: ["5.4.1", "The server could not be reached"],
  expired: ["5.4.7", "Delivery was tried for too long"],
  unknown: ["5.1.0", "The message was refused"],
};

/** RFC 5321 section 4.2.3, RFC 7504. Others are some provider's own, and would tell which. */
const standardReplies = new Set([
  421, 450, 451, 452, 455, 500, 501, 502, 503, 504, 521, 530, 550, 551, 552, 553, 554, 555, 556,
]);

/**
 * The failure as reported to the author: made only of the class of the reply and its standard codes. The server's text is
 * left out, since it may disclose the real address behind a proxy address.
 * @param isExpired the last reply was a deferral, and there is no further attempt
 */
export function describeFailure(response: string, { reason }: ReplyClass, isExpired = false): FailureDescription {
  const [usualStatus, words] = descriptions[reason];
  const { reply, status } = replyCodesOf(response);
  const isStandard = status !== undefined && statusReasons[status.slice(2)] !== undefined;
  const shownStatus = isStandard ? status : usualStatus;
  const permanent = `5${shownStatus.slice(1)}`;
  return { status: isExpired ? "5.4.7" : permanent, diagnostic: [...codesShown(reply, shownStatus), words].join(" ") };
}

/** The reply code first (RFC 3464 section 2.3.6), then the enhanced one, of the same class. */
function codesShown(reply: number | undefined, status: string): string[] {
  if (reply === undefined) return [];
  const shown = String(standardReplies.has(reply) ? reply : 550);
  return [shown, shown.charAt(0) + status.slice(1)];
}
