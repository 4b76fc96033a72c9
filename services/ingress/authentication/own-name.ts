import { areAligned } from "../../platform/net/organisational-domain.ts";
import type { AuthorVerdict } from "./author-verdict.ts";
import type { Authors } from "./authors.ts";

/**
 * Whether a message is written in the name of a domain that this service signs for, or of one in the same organisation:
 * the signature of a forwarded message would prove such a name to the next hop, whoever wrote it.
 */
export interface OwnNameClaim {
  /** Somebody writes in our name, or one cannot tell, and it is not proved: From must not leave as it is. */
  readonly isUnproved: boolean;
  /** A lookup that fails for now would decide that. */
  readonly isUndecided: boolean;
  /** Of authors at the service's very domain, without doubt, who are not proved. */
  readonly localParts: readonly string[];
}

export function ownNameClaim(
  authors: Authors,
  verdicts: readonly AuthorVerdict[],
  serviceDomain: string,
): OwnNameClaim {
  const proofs = new Map(verdicts.map(({ domain, proof }) => [domain, proof]));
  const unproved = authors.addresses.filter(
    ({ domain }) => areAligned(domain, serviceDomain) && proofs.get(domain) !== "proved",
  );
  return {
    isUnproved: authors.isUnreadable || unproved.length > 0,
    isUndecided: unproved.some(({ domain }) => proofs.get(domain) === "unknown"),
    localParts: unproved
      .filter(({ domain, isCertain }) => domain === serviceDomain && isCertain)
      .map(({ localPart }) => localPart),
  };
}
