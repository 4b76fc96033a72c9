import { asciiDomain } from "./domain-name.ts";
import { localPartFault, localPartKey, withoutNeedlessQuotes } from "./local-part.ts";

/** A path of 256 octets with its brackets (RFC 5321 section 4.5.3.1.3) leaves this for the address. */
const longestAddressOctets = 254;

/** An email address that was understood (Mailbox, RFC 5321 section 4.1.2). */
export interface Mailbox {
  /** As it was given, and as it is shown. */
  readonly spelling: string;
  readonly localPart: string;
  /** A-labels in lower case. */
  readonly domain: string;
  /** Equal for addresses that are the same but for letter case, Unicode normalisation and the way the domain is written. */
  readonly key: string;
}

export type Reading = { mailbox: Mailbox; fault?: undefined } | { mailbox?: undefined; fault: string };

/** Reads an address that somebody gives us; a fault is the rest of a sentence that begins with the address, and never repeats it. */
export function readMailbox(given: string): Reading {
  if (given === "") return { fault: "is empty" };
  if (given.length > longestAddressOctets || Buffer.byteLength(given) > longestAddressOctets) {
    return { fault: `has more than ${longestAddressOctets} octets` };
  }
  const at = given.lastIndexOf("@");
  if (at < 0) return { fault: "is no valid email address: it has no @" };
  const localPart = given.slice(0, at);
  const fault = localPartFault(localPart);
  if (fault) return { fault };
  const domain = asciiDomain(given.slice(at + 1));
  if (!domain) return { fault: "is no valid email address: check the domain after the @" };
  return { mailbox: { spelling: given, localPart, domain, key: addressKey(localPart, domain) } };
}

/** Reads a forward-path without its brackets, as it stands in RCPT TO: there, quotes may surround what needs none. */
export function readRecipient(given: string): Reading {
  const at = given.lastIndexOf("@");
  if (at < 0) return readMailbox(given);
  return readMailbox(`${withoutNeedlessQuotes(given.slice(0, at))}${given.slice(at)}`);
}

/** How addresses are compared. */
export function addressKey(localPart: string, domain: string): string {
  return `${localPartKey(localPart)}@${domain}`;
}

/** The address as an envelope has it: its domain in A-labels, so that a server without SMTPUTF8 takes it wherever it can. */
export function envelopeAddress({ localPart, domain, spelling }: Mailbox): string {
  return isAscii(spelling) ? spelling : `${localPart}@${domain}`;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
