// The two sides of an address: RFC 5321 section 4.1.2 (Mailbox), RFC 5322 section 3.4.1 (addr-spec).

import { domainToASCII, domainToUnicode } from "node:url";
import { isAscii } from "../coding/ascii.ts";

export interface AddrSpec {
  /** As it is written, quotes included. */
  readonly localPart: string;
  /** As it is written; "" for the bare `postmaster` of RFC 5321 section 4.1.1.3. */
  readonly domain: string;
}

/** Parts an address at the "@" between its sides: not one within a quoted local part or an address literal. */
export function splitAddress(address: string): AddrSpec {
  const literal = address.endsWith("]") ? address.lastIndexOf("@[") : -1;
  const at = literal > 0 ? literal : address.lastIndexOf("@");
  if (at < 0) return { localPart: address, domain: "" };
  return { localPart: address.slice(0, at), domain: address.slice(at + 1) };
}

/** The domain of an address in lower case, as domains are compared; "" if there is none. */
export function domainOf(address: string): string {
  return splitAddress(address).domain.toLowerCase();
}

/** The address with its domain as DNS knows it, in A-labels (RFC 5890); unchanged if it is already. */
export function withAsciiDomain(address: string): string {
  const { localPart, domain } = splitAddress(address);
  return isAscii(domain) ? address : `${localPart}@${domainToASCII(domain)}`;
}

/** The form that addresses are compared in: the same for those that differ in letter case, normalisation or the notation of the domain only. */
export function comparableAddress(address: string): string {
  // Lower case may be decomposed, as that of J with a caron is.
  return withAsciiDomain(address).normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * How an address is written, in lower case: its domain in A-labels and in U-labels (RFC 5890), letters beyond ASCII composed and
 * decomposed (Unicode's NFC and NFD).
 */
export function addressSpellings(address: string): string[] {
  const { localPart, domain } = splitAddress(address.toLowerCase());
  if (domain === "") return [address.toLowerCase()];
  const domains = [domain, domainToASCII(domain), domainToUnicode(domain)].filter((each) => each !== "");
  const spellings = spelled(localPart).flatMap((local) => domains.flatMap(spelled).map((each) => `${local}@${each}`));
  return [...new Set(spellings)];
}

function spelled(text: string): string[] {
  return [text, text.normalize("NFC"), text.normalize("NFD")];
}
