import { areAligned } from "../../platform/net/organisational-domain.ts";
import type { AuthorVerdict } from "./author-verdict.ts";
import type { Authors } from "./authors.ts";

/**
 * Whether a message names an author in a domain that this service signs for, or in its organisation. The DKIM signature of the
 * forwarded message is aligned with such a domain, so that DMARC would pass at the next hop for any author.
 */
export interface OwnNameUse {
  /** There is such an author who is not authenticated, or From cannot be read: From must be replaced. */
  readonly isUnproved: boolean;
  /** A lookup failed temporarily that decides it. */
  readonly isUndecided: boolean;
  /** Of such authors at SERVICE_DOMAIN itself, if they are certain. */
  readonly localParts: readonly string[];
}

/** @param ownDomains accounts' own domains whose keys the message may be signed with: those of its recipients */
export function ownNameUse(
  authors: Authors,
  verdicts: readonly AuthorVerdict[],
  serviceDomain: string,
  ownDomains: readonly string[] = [],
): OwnNameUse {
  const signedDomains = [serviceDomain, ...ownDomains];
  const proofs = new Map(verdicts.map(({ domain, proof }) => [domain, proof]));
  const unproved = authors.addresses.filter(
    ({ domain }) => signedDomains.some((signed) => areAligned(domain, signed)) && proofs.get(domain) !== "proved",
  );
  return {
    isUnproved: authors.isUnreadable || unproved.length > 0,
    isUndecided: unproved.some(({ domain }) => proofs.get(domain) === "unknown"),
    localParts: unproved
      .filter(({ domain, isCertain }) => domain === serviceDomain && isCertain)
      .map(({ localPart }) => localPart),
  };
}
