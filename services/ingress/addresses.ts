import { domainToASCII } from "node:url";

/** Reverse paths of ours have this before their token: bounce+token@SERVICE_DOMAIN. */
const reversePathPrefix = "bounce+";

/** Local parts that every domain that takes mail must accept (RFC 5321 section 4.5.1, RFC 2142 section 5). */
const operatorNames = new Set(["postmaster", "abuse"]);

export interface AddressParts {
  localPart: string;
  /** "" for the bare `postmaster` of RFC 5321 section 4.1.1.3. */
  domain: string;
}

export function parseAddress(address: string): AddressParts {
  const at = address.lastIndexOf("@");
  return at < 0
    ? { localPart: address, domain: "" }
    : { localPart: address.slice(0, at), domain: address.slice(at + 1) };
}

/** The address with its domain as DNS knows it: smtp-server shows internationalized domains decoded. */
export function withAsciiDomain(address: string): string {
  const { localPart, domain } = parseAddress(address);
  return isAscii(domain) ? address : `${localPart}@${domainToASCII(domain)}`;
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** Whether an address has the form of a reverse path of ours; only forwarder can tell whether it is one. */
export function looksLikeReversePath({ localPart, domain }: AddressParts, serviceDomain: string): boolean {
  return localPart.toLowerCase().startsWith(reversePathPrefix) && domain.toLowerCase() === serviceDomain;
}

/** Whether mail to the address is for whoever runs this service. */
export function isOperatorAddress({ localPart, domain }: AddressParts, serviceDomain: string): boolean {
  return operatorNames.has(localPart.toLowerCase()) && ["", serviceDomain].includes(domain.toLowerCase());
}
