import { localPartKey, withoutSubaddress } from "./local-part.ts";

/** Local parts of role mailboxes, and of addresses that the service itself uses. */
const reservedNames = new Set([
  // RFC 2142, with RFC 5321 section 4.5.1 for postmaster
  ...["postmaster", "abuse", "hostmaster", "webmaster", "noc", "security", "usenet", "news", "www", "uucp", "ftp"],
  ...["info", "marketing", "sales", "support"],
  // Certificate authorities send domain validation mail to these (CA/Browser Forum Baseline Requirements, section 3.2.2.4.4)
  ...["admin", "administrator", "ssladmin", "sysadmin"],
  // Senders of automatic mail, and recipients of bounces and reports
  ...["mailer-daemon", "daemon", "root", "nobody", "noreply", "no-reply", "bounce", "bounces", "postern"],
  ...["dmarc", "dmarc-reports", "tls-rpt", "tlsrpt", "smtp-tls-reports", "autoconfig", "autodiscover"],
]);

/** Rewritten senders: SRS, BATV and VERP. */
const reservedForms = /^(?:srs[01][=+-]|bounces?[=+-]|prvs=)/;

/** Whether a local part is never issued, whatever its subaddress. */
export function isReserved(localPart: string): boolean {
  const key = localPartKey(localPart);
  return reservedNames.has(withoutSubaddress(key)) || reservedForms.test(key);
}
