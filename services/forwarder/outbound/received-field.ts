import { isPrintableAscii } from "../../message/coding/ascii.ts";
import type { Forward } from "../deliveries/delivery.ts";

/** What a host name given by a client may be made of (RFC 5321 section 4.1.3 for address literals). */
const clientNamePattern = /^[\w.:[\]-]{1,255}$/;
const addressPattern = /^[^\s<>\p{Cc}]{1,320}$/u;

/** The date of RFC 5322 section 3.3, in UTC. */
export function headerDate(at: Date): string {
  return at.toUTCString().replace("GMT", "+0000");
}

/**
 * The Received field of our accepting the message (RFC 5321 section 4.4). It names the recipient: by the service's name and
 * that address ingress detects a loop back to the same binding. An email has one recipient, so no other address is
 * shown.
 */
export function receivedHeader(delivery: Forward, serviceDomain: string): string {
  const { clientName, clientAddress, protocol, tls, emailId, recipient, receivedAt, smtpUtf8 } = delivery;
  const name = clientNamePattern.test(clientName) ? clientName : "unknown";
  const literal = clientAddress.includes(":") ? `IPv6:${clientAddress}` : clientAddress;
  const isShown = addressPattern.test(recipient) && (smtpUtf8 || isPrintableAscii(recipient));
  return [
    `Received: from ${name} ([${literal}])`,
    /^[\w. -]+$/.test(tls) ? `\t(${tls})` : undefined,
    `\tby ${serviceDomain} with ${/^[A-Z0-9]+$/.test(protocol) ? protocol : "ESMTP"} id ${emailId}`,
    isShown ? `\tfor <${recipient}>` : undefined,
  ]
    .filter((line) => line !== undefined)
    .join("\r\n")
    .concat(`;\r\n\t${headerDate(receivedAt)}\r\n`);
}

/** Authentication-Results as ingress arrived at them (RFC 8601); nothing if it evaluated nothing. */
export function authenticationResultsHeader(value: string): string {
  return value === "" ? "" : `Authentication-Results: ${value.replace(/[\r\n]+[ \t]*/g, "\r\n\t")}\r\n`;
}
