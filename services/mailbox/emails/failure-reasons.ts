import { Channel } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";

/** Why a delivery failed, as lists are narrowed down by it. "other": nothing that is known, or nothing that was said. */
export type FailureReason = "recipient" | "mailbox" | "sender" | "content" | "server" | "webhook" | "other";

/** What the answers of servers mean (forwarder/replies/reasons.ts), as events say it. */
const reasonsOfReplies: Readonly<Record<string, FailureReason>> = {
  "unknown-user": "recipient",
  "mailbox-disabled": "recipient",
  "unknown-domain": "recipient",
  "mailbox-full": "mailbox",
  "mailbox-busy": "mailbox",
  blocklisted: "sender",
  "poor-reputation": "sender",
  "missing-reverse-dns": "sender",
  "failed-authentication": "sender",
  "relaying-denied": "sender",
  "sender-refused": "sender",
  "tls-required": "sender",
  "rate-limited": "sender",
  greylisted: "sender",
  spam: "content",
  virus: "content",
  "forbidden-content": "content",
  "message-too-large": "content",
  "malformed-message": "content",
  "unsupported-message": "content",
  "mail-loop": "content",
  "recipient-policy": "recipient",
  "server-trouble": "server",
  unreachable: "server",
  expired: "server",
};

/** Of an event about a delivery. */
export function failureReasonOf({ channel, reason }: { channel: Channel; reason: string }): FailureReason {
  if (channel === Channel.CALLBACK) return "webhook";
  return Object.hasOwn(reasonsOfReplies, reason) ? (reasonsOfReplies[reason] ?? "other") : "other";
}
