import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";

/** The results of authentication that a delivery stores. */
export interface Authentication {
  /** The domain of From; empty if there is not exactly one. */
  authorDomain: string;
  /** Its DMARC policy: none, quarantine or reject; empty if there is none. */
  policy: string;
  isDkimAligned: boolean;
  isSpfAligned: boolean;
  spf: string;
  /** The state of the ARC chain: none, pass or fail. */
  arc: string;
  /** From must become the proxy address, regardless of the DMARC policy; absent in older rows. */
  mustReplaceFrom?: boolean;
  /** pass, fail, none, temperror or permerror; absent in older rows. */
  dmarc?: string;
}

/** Null if the message was not evaluated. */
export function authenticationOf({ authentication }: MailAccepted): Authentication | null {
  if (!authentication) return null;
  const { authorDomain, policy, dkimAligned, spfAligned, spf, arc, mustReplaceFrom, dmarc } = authentication;
  return {
    authorDomain,
    policy,
    isDkimAligned: dkimAligned,
    isSpfAligned: spfAligned,
    spf,
    arc,
    mustReplaceFrom,
    dmarc,
  };
}

/** Whether DMARC did not pass, or DNS could not tell, though an author's domain has a record: under a From of ours nobody else can see it. */
export function isUnverified(authentication: Authentication | null): boolean {
  return authentication?.dmarc !== undefined && !["", "pass", "none"].includes(authentication.dmarc);
}

/**
 * Whether From must become the proxy address. Either the author's domain has a policy and DMARC cannot pass at the next hop: SPF is
 * ours from here on, and there is no aligned DKIM signature (RFC 7489 section 6.6.2, RFC 7960 section 3.2). Or DMARC would pass by our
 * signature although the author was not authenticated.
 * @param isChanged a field that its author signs is not as it came
 */
export function needsOwnFrom(authentication: Authentication | null, isChanged = false): boolean {
  if (!authentication) return isChanged;
  if (authentication.mustReplaceFrom) return true;
  // Its signatures are broken: whatever policy there is, or may be, DMARC would fail.
  if (isChanged) return authentication.policy !== "" || authentication.dmarc === "temperror";
  const hasPolicy = authentication.policy === "quarantine" || authentication.policy === "reject";
  return hasPolicy && !authentication.isDkimAligned;
}
