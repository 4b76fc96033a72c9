import { BlockList, isIPv6 } from "node:net";

/** An address as its owner writes it: an IPv4 client of a dual-stack listener appears as ::ffff:a.b.c.d. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, "");
}

/** Whether an IP address lies in one of the ranges given in CIDR notation; an IPv4-mapped one counts as its IPv4 address. */
export function addressMatcher(cidrs: readonly string[]): (address: string) => boolean {
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const [network = "", bits] = cidr.split("/");
    ranges.addSubnet(network, Number(bits), isIPv6(network) ? "ipv6" : "ipv4");
  }
  return (address) => ranges.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
