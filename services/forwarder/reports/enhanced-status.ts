/** "Other address status" (RFC 3463 section 3.2): what a server that gives no code of its own most likely means. */
const unknownFault = "5.1.0";
/** "Delivery time expired" (RFC 3463 section 3.5). */
export const expired = "5.4.7";

/** The enhanced status code of a permanent failure: the server's own, if it gave one. */
export function permanentStatus(response: string): string {
  return statusIn(response) ?? unknownFault;
}

/** A permanent one (RFC 3463 section 2). */
export function statusIn(text: string): string | undefined {
  return /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(text)?.[0];
}
