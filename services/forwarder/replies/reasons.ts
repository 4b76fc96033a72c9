/** Whom a reply is about: the recipient's address, us as the sender, this one message, or unknown. */
export type About = "address" | "us" | "message" | "unknown";

export interface ReasonClass {
  about: About;
  /** Sending the same message again later would not help. */
  isPermanent: boolean;
}

/** Why a server refuses or defers mail. Only what is about the address and permanent counts towards its suspension. */
export const reasons = {
  "unknown-user": { about: "address", isPermanent: true },
  "mailbox-disabled": { about: "address", isPermanent: true },
  "unknown-domain": { about: "address", isPermanent: true },
  "mailbox-full": { about: "address", isPermanent: false },
  "mailbox-busy": { about: "address", isPermanent: false },

  blocklisted: { about: "us", isPermanent: true },
  "poor-reputation": { about: "us", isPermanent: true },
  "missing-reverse-dns": { about: "us", isPermanent: true },
  "failed-authentication": { about: "us", isPermanent: true },
  "relaying-denied": { about: "us", isPermanent: true },
  "sender-refused": { about: "us", isPermanent: true },
  "tls-required": { about: "us", isPermanent: true },
  "rate-limited": { about: "us", isPermanent: false },
  greylisted: { about: "us", isPermanent: false },

  spam: { about: "message", isPermanent: true },
  virus: { about: "message", isPermanent: true },
  "forbidden-content": { about: "message", isPermanent: true },
  "message-too-large": { about: "message", isPermanent: true },
  "malformed-message": { about: "message", isPermanent: true },
  "unsupported-message": { about: "message", isPermanent: true },
  "mail-loop": { about: "message", isPermanent: true },
  "recipient-policy": { about: "message", isPermanent: true },

  policy: { about: "unknown", isPermanent: true },
  "server-trouble": { about: "unknown", isPermanent: false },
  unreachable: { about: "unknown", isPermanent: false },
  expired: { about: "unknown", isPermanent: true },
  unknown: { about: "unknown", isPermanent: false },
} as const satisfies Record<string, ReasonClass>;

export type Reason = keyof typeof reasons;

export function isReason(text: string): text is Reason {
  return Object.hasOwn(reasons, text);
}
