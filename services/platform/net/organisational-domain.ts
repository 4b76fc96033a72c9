import { getDomain } from "tldts";

/**
 * The registrable domain that a name belongs to by the public suffix list (RFC 7489 section 3.2), private suffixes such as
 * github.io included; a name without one is its own. @param domain ASCII, in lower case, without a final dot
 */
export function organisationalDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true, validateHostname: false }) ?? domain;
}

/**
 * The same by the suffixes of registries alone: names that a provider gives away, such as those below github.io or duckdns.org, are all
 * one. For counting who is independent. @param domain as there
 */
export function registeredDomain(domain: string): string {
  return getDomain(domain, { validateHostname: false }) ?? domain;
}

/** Whether two names belong to one organisation: what DMARC calls relaxed alignment. */
export function areAligned(one: string, other: string): boolean {
  return one !== "" && organisationalDomain(one) === organisationalDomain(other);
}
