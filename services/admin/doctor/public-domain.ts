/** Reserved names (RFC 2606, RFC 6761): neither published records nor a trusted certificate can be expected of them. */
const reserved = /(^|\.)(localhost|test|invalid|example|example\.(com|net|org))$/;

/** Whether others can find a domain. */
export function isPublicDomain(domain: string): boolean {
  return !reserved.test(domain);
}
