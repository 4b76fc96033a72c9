import { localPartKey, withoutSubaddress } from "./local-part.ts";
import { skeleton } from "./look-alikes.ts";

/** Local parts of role mailboxes, and of addresses that the service itself uses. */
const reservedNames = [
  // RFC 2142, with RFC 5321 section 4.5.1 for postmaster
  ...["postmaster", "abuse", "hostmaster", "webmaster", "noc", "security", "usenet", "news", "www", "uucp", "ftp"],
  ...["info", "marketing", "sales", "support"],
  // Certificate authorities send domain validation mail to these (CA/Browser Forum Baseline Requirements, section 3.2.2.4.4)
  ...["admin", "administrator", "ssladmin", "sysadmin"],
  // Senders of automatic mail, and recipients of bounces and reports
  ...["mailer-daemon", "daemon", "root", "nobody", "noreply", "no-reply", "bounce", "bounces", "postern"],
  // Reverse addresses of contacts
  "re",
  ...["dmarc", "dmarc-reports", "tls-rpt", "tlsrpt", "smtp-tls-reports", "autoconfig", "autodiscover"],
];

/** Of those, what the service itself uses on every domain: postmaster and abuse lead to the domain's owner. */
const usedEverywhere = new Set(["postmaster", "abuse", "mailer-daemon", "re"]);

/** Rewritten senders: SRS, BATV and VERP. */
const reservedForms = /^(?:srs[01][=+-]|bounces?[=+-]|prvs=)/;

/** The local parts that are never issued, by an installation of some name. */
export class ReservedNames {
  readonly #skeletons: ReadonlySet<string>;

  constructor(serviceName: string) {
    this.#skeletons = new Set([...reservedNames, serviceName].map(skeleton));
  }

  /** Whether a local part is reserved, with or without a subaddress, or looks like a reserved one in some letter case. */
  has(localPart: string): boolean {
    const name = withoutSubaddress(localPart.normalize("NFKC"));
    const spellings = new Set([name, name.toLowerCase(), name.toUpperCase()]);
    return (
      reservedForms.test(localPartKey(localPart)) || [...spellings].some((each) => this.#skeletons.has(skeleton(each)))
    );
  }
}

/** Whether a local part is never issued on a domain of an account's own: the rest of its names are its owner's to give. */
export function isReservedOnOwnDomain(localPart: string): boolean {
  return usedEverywhere.has(localPartKey(withoutSubaddress(localPart))) || reservedForms.test(localPartKey(localPart));
}
