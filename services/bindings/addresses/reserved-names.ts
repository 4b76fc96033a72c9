import { localPartKey, withoutSubaddress } from "./local-part.ts";

/** Names that the world writes to when it means whoever runs a domain, and names that only the service itself writes from. */
const reservedNames = new Set([
  // RFC 2142, with RFC 5321 section 4.5.1 for postmaster
  ...["postmaster", "abuse", "hostmaster", "webmaster", "noc", "security", "usenet", "news", "www", "uucp", "ftp"],
  ...["info", "marketing", "sales", "support"],
  // Who holds one of these can get a certificate for the domain (CA/Browser Forum Baseline Requirements, section 3.2.2.4.4)
  ...["admin", "administrator", "ssladmin", "sysadmin"],
  // What machines write from, and what bounces and reports come back to
  ...["mailer-daemon", "daemon", "root", "nobody", "noreply", "no-reply", "bounce", "bounces", "postern"],
  ...["dmarc", "dmarc-reports", "tls-rpt", "tlsrpt", "smtp-tls-reports", "autoconfig", "autodiscover"],
]);

/** Rewritten senders (SRS) and VERP, of this service and of those before it. */
const reservedForms = /^(?:srs[01][=+-]|bounces?[=+-]|prvs=)/;

/** Whether a local part is never given out, whatever subaddress is put behind it. */
export function isReserved(localPart: string): boolean {
  const key = localPartKey(localPart);
  return reservedNames.has(withoutSubaddress(key)) || reservedForms.test(key);
}
