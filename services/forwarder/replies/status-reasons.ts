import type { Reason } from "./reasons.ts";

/**
 * What an enhanced status code says where the words of a reply say nothing that we know (RFC 3463, RFC 5248, RFC 7372,
 * RFC 7505 and IANA's registry). By subject and detail, or by the subject alone; the class (4 or 5) does not matter.
 */
export const statusReasons: Readonly<Record<string, Reason>> = {
  "1.1": "unknown-user",
  "1.2": "unknown-domain",
  "1.6": "unknown-user",
  "1.7": "sender-refused",
  "1.8": "sender-refused",
  "1.10": "unknown-domain",
  "2.1": "mailbox-disabled",
  "2.2": "mailbox-full",
  "2.3": "message-too-large",
  "3.1": "server-trouble",
  "3.2": "server-trouble",
  "3.3": "unsupported-message",
  "3.4": "message-too-large",
  "3.5": "server-trouble",
  "4.1": "unreachable",
  "4.2": "unreachable",
  "4.3": "unreachable",
  "4.4": "unreachable",
  "4.5": "server-trouble",
  "4.6": "mail-loop",
  "4.7": "expired",
  "6": "malformed-message",
  "6.1": "unsupported-message",
  "6.2": "unsupported-message",
  "6.3": "unsupported-message",
  "6.7": "unsupported-message",
  "6.9": "unsupported-message",
  "7": "policy",
  "7.2": "recipient-policy",
  "7.10": "tls-required",
  "7.20": "failed-authentication",
  "7.21": "failed-authentication",
  "7.22": "failed-authentication",
  "7.23": "failed-authentication",
  "7.24": "failed-authentication",
  "7.25": "missing-reverse-dns",
  "7.26": "failed-authentication",
  "7.27": "sender-refused",
  "7.28": "rate-limited",
  "7.29": "failed-authentication",
  "7.30": "tls-required",
};

/** The same in replies of the class 4, where a code means something that will pass. */
export const transientStatusReasons: Readonly<Record<string, Reason>> = {
  "2.1": "mailbox-busy",
  "3.0": "server-trouble",
  "4.0": "server-trouble",
};
