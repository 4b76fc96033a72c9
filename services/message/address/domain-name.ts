// Domains of addresses as DNS knows them: RFC 5321 sections 2.3.5 and 4.1.2, RFC 5890.

import { domainToASCII } from "node:url";

/** RFC 5321 section 4.5.3.1.2. */
const maxDomainOctets = 255;

/** Letters, digits and inner hyphens, at most 63 of them (RFC 5321 section 4.1.2 sub-domain, RFC 1035 section 2.3.4). */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Characters that a domain may have before it is converted: UTS 46 would accept, and silently drop or decode, soft hyphens,
 * percent signs and the like. The dots beside U+002E are those that IDNA maps to it.
 */
const writtenDomain = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;

/** What UTS 46 leaves as it is: lower-case letters, digits and hyphens, and an end that makes no IPv4 address of it. */
const plainDomain = /^(?:[a-z0-9-]+\.)*[a-z][a-z-]*$/;

/** The same as domainToASCII, at a tenth of the cost for most domains, which are in A-labels and lower case already. */
export function toAscii(domain: string): string {
  return plainDomain.test(domain) && !domain.includes("xn--") ? domain : domainToASCII(domain);
}

/**
 * A mail domain in A-labels (RFC 5890) and lower case; undefined where it is none. Address literals, IP addresses in any
 * notation and names of one label are refused as well.
 */
export function asciiDomain(written: string): string | undefined {
  if (!writtenDomain.test(written)) return undefined;
  const domain = toAscii(written);
  const labels = domain.split(".");
  const isName = labels.length >= 2 && labels.every((part) => label.test(part));
  const isNumeric = /^\d+$/.test(labels.at(-1) ?? "");
  return isName && !isNumeric && domain.length <= maxDomainOctets ? domain : undefined;
}
