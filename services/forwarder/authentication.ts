import type { MailAccepted } from "../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";

/** What ingress found of who sent a message, as a delivery keeps it. */
export interface Authentication {
  /** The domain of From; empty where there is not exactly one. */
  authorDomain: string;
  /** What that domain asks for where DMARC fails: none, quarantine or reject; empty where it publishes nothing. */
  policy: string;
  isDkimAligned: boolean;
  isSpfAligned: boolean;
  spf: string;
  /** The state of the ARC chain: none, pass or fail. */
  arc: string;
  /** From has to become the proxy address, whatever the policy; absent in rows from before there was this. */
  mustReplaceFrom?: boolean;
}

/** Null where ingress judged nothing. */
export function authenticationOf({ authentication }: MailAccepted): Authentication | null {
  if (!authentication) return null;
  const { authorDomain, policy, dkimAligned, spfAligned, spf, arc, mustReplaceFrom } = authentication;
  return { authorDomain, policy, isDkimAligned: dkimAligned, isSpfAligned: spfAligned, spf, arc, mustReplaceFrom };
}

/**
 * Whether From cannot stay as it is. Either the author's DMARC cannot pass behind us: SPF is ours from here on, so only a
 * signature of the author's domain could make it pass, and the domain asks that mail without be kept away (RFC 7489 section
 * 6.6.2, RFC 7960 section 3.2). Or it would pass by our signature although the author is not proved to be us.
 */
export function needsOwnFrom(authentication: Authentication | null): boolean {
  if (!authentication) return false;
  if (authentication.mustReplaceFrom) return true;
  const isWanted = authentication.policy === "quarantine" || authentication.policy === "reject";
  return isWanted && !authentication.isDkimAligned;
}
