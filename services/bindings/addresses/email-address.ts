import { domainToUnicode } from "node:url";
import { splitAddress } from "../../message/address/addr-spec.ts";
import { asciiDomain } from "../../message/address/domain-name.ts";
import { isAscii } from "../../message/coding/ascii.ts";
import { bindingLimits } from "../contract.ts";
import { localPartFault, localPartKey, withoutNeedlessQuotes } from "./local-part.ts";

const maxAddressOctets = bindingLimits.addressCharacters;

/** A parsed email address (Mailbox, RFC 5321 section 4.1.2). */
export interface EmailAddress {
  /** As it was given. */
  readonly spelling: string;
  readonly localPart: string;
  /** A-labels in lower case. */
  readonly domain: string;
  /** The same for addresses that differ in letter case, Unicode normalisation or the notation of the domain only. */
  readonly key: string;
}

type ParsedAddress = { emailAddress: EmailAddress; fault?: undefined } | { emailAddress?: undefined; fault: string };

/** Parses an address from a request. A fault completes a sentence that begins with "the address", and never quotes it. */
export function parseEmailAddress(given: string): ParsedAddress {
  if (given === "") return { fault: "is empty" };
  if (given.length > maxAddressOctets || Buffer.byteLength(given) > maxAddressOctets) {
    return { fault: `has more than ${maxAddressOctets} octets` };
  }
  if (!given.includes("@")) return { fault: "is no valid email address: it has no @" };
  const { localPart, domain: written } = splitAddress(given);
  const fault = localPartFault(localPart);
  if (fault) return { fault };
  const domain = asciiDomain(written);
  if (!domain) return { fault: "is no valid email address: check the domain after the @" };
  return { emailAddress: { spelling: given, localPart, domain, key: addressKey(localPart, domain) } };
}

/** Parses a forward-path of RCPT TO, without its angle brackets: there a local part may be quoted without need. */
export function readRecipient(given: string): ParsedAddress {
  if (!given.includes("@")) return parseEmailAddress(given);
  const { localPart, domain } = splitAddress(given);
  return parseEmailAddress(`${withoutNeedlessQuotes(localPart)}@${domain}`);
}

/** Addresses with the same key are the same address. */
export function addressKey(localPart: string, domain: string): string {
  return `${localPartKey(localPart)}@${domain}`;
}

/** A list of addresses with another in the place of one, each once; undefined where the one is not in it. */
export function withReplaced(
  addresses: readonly string[],
  { old, wanted }: { old: EmailAddress; wanted: EmailAddress },
): string[] | undefined {
  const keyOf = (address: string) => parseEmailAddress(address).emailAddress?.key;
  const at = addresses.findIndex((address) => keyOf(address) === old.key);
  if (at === -1) return undefined;
  const isOther = (address: string) => ![old.key, wanted.key].includes(keyOf(address) ?? address);
  return [...addresses.slice(0, at).filter(isOther), wanted.spelling, ...addresses.slice(at + 1).filter(isOther)];
}

/** The address for an SMTP envelope: the domain in A-labels, so that a server without SMTPUTF8 accepts it where possible. */
export function envelopeAddress({ localPart, domain, spelling }: EmailAddress): string {
  return isAscii(spelling) ? spelling : `${localPart}@${domain}`;
}

/** The address with its domain in lower case, in U-labels (RFC 5890) where it was not given in ASCII. */
export function withLowerCaseDomain(emailAddress: EmailAddress): EmailAddress {
  const { localPart, domain, spelling } = emailAddress;
  const given = spelling.slice(localPart.length + 1);
  return { ...emailAddress, spelling: `${localPart}@${isAscii(given) ? domain : domainToUnicode(domain)}` };
}
