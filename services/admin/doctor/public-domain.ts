/** Names that are nobody's on the Internet (RFC 2606, RFC 6761): there is nothing to publish, and nobody to convince. */
const reserved = /(^|\.)(localhost|test|invalid|example|example\.(com|net|org))$/;

/** Whether others can find a domain. */
export function isPublicDomain(domain: string): boolean {
  return !reserved.test(domain);
}
