import { parse } from "tldts";
import { asciiDomain } from "../../message/address/domain-name.ts";
import { invalidField } from "../../platform/errors.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";

/** A name has 253 characters (RFC 1035 section 2.3.4), and records of the domain have longer names. */
const maxCharacters = 200;

/** The dot that ends an absolute name, also as IDNA writes it. */
const finalDot = /[.\u3002\uff0e\uff61]$/;

/**
 * A domain's name in A-labels and lower case, without a final dot.
 * @throws Refusal ValidationFailed for what is no host name, is of this service, or is a public suffix
 */
export function readDomainName(given: string, domains: ServedDomains): string {
  const name = asciiDomain(given.trim().replace(finalDot, ""));
  if (!name) throw invalidField("name", "the domain is no host name.");
  if (name.length > maxCharacters) throw invalidField("name", `the domain has more than ${maxCharacters} characters.`);
  if (domains.isRelatedToOurs(name))
    throw invalidField("name", "the domain is one of this service, or under or above it.");
  if (isPublicSuffix(name))
    throw invalidField("name", "the domain is a public suffix: strangers register names under it.");
  return name;
}

/** By the public suffix list, private suffixes such as github.io included. */
function isPublicSuffix(name: string): boolean {
  return parse(name, { allowPrivateDomains: true, validateHostname: false }).publicSuffix === name;
}
