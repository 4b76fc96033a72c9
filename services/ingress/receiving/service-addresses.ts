import type { AddrSpec } from "../../message/address/addr-spec.ts";
import { reversePathPrefix } from "../../message/address/reverse-path.ts";

/** Local parts that every mail domain must accept (RFC 5321 section 4.5.1, RFC 2142 section 5). */
const operatorNames = new Set(["postmaster", "abuse"]);

/** Whether an address has the form of a reverse path of ours. */
export function looksLikeReversePath({ localPart, domain }: AddrSpec, serviceDomain: string): boolean {
  return localPart.toLowerCase().startsWith(reversePathPrefix) && domain.toLowerCase() === serviceDomain;
}

/** Whether mail to the address is for the operator. */
export function isOperatorAddress({ localPart, domain }: AddrSpec, serviceDomain: string): boolean {
  return operatorNames.has(localPart.toLowerCase()) && ["", serviceDomain].includes(domain.toLowerCase());
}

/** Whether an address is the one for complaints, on any domain; a subaddress is none. */
export function isAbuseAddress({ localPart }: AddrSpec): boolean {
  return localPart.toLowerCase() === "abuse";
}
