/**
 * A message whose From is an address on an account's own domain, while no DKIM record of that domain is known to be published. Under
 * its DMARC policy the next server would refuse it for good, whoever else signed it (RFC 7489 section 6.6.2).
 */
export class MissingDkimRecords extends Error {
  /** As a server would have answered (RFC 7372 section 3.1 has no code for it; 4.7.5 is RFC 3463's "Cryptographic failure"). */
  readonly response: string;

  constructor(domain: string) {
    super(`no DKIM record of ${domain} is found`);
    this.name = "MissingDkimRecords";
    this.response = `451 4.7.5 no DKIM record of ${domain} is found, and mail from there is not sent without its signature`;
  }
}
