import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An IPv4 address without the IPv6 around it (RFC 4291 section 2.5.5.2), as clients of a dual-stack listener have it. */
export function plainAddress(address: string): string {
  if (!/^::ffff:/i.test(address) || isIP(address) === 0) return address;
  const mapped = address.slice("::ffff:".length);
  // As Node writes those of its sockets: nothing to convert.
  return isIP(mapped) === 4 ? mapped : ipaddr.process(address).toString();
}

/** What counts as one client: an IPv4 address, or the /64 of an IPv6 address, all of which one customer can use. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const groups = ipaddr.IPv6.parse(plain).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}
