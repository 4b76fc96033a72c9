import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { ConfigurationError } from "../errors.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** Networks of rules, once parsed: routes are read for each recipient anew, mostly with the same networks. */
const parsedRanges = new LRUCache<string, Range>({ max: 10_000 });
const parsedLists = new WeakMap<readonly string[], readonly Range[]>();

/** The only part of IPv6 that IANA gives out for the Internet (RFC 4291 section 2.4 and IANA's registry): all else is special. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is anything but an ordinary one on the Internet: loopback, private, link-local, multicast,
 * documentation, translated and tunnelled ones (which can hold any IPv4 address), and the rest of RFC 6890. An
 * IPv4-mapped address is checked as the IPv4 address in it. What is no IP address counts as special.
 */
export function isSpecialAddress(ip: string): boolean {
  const address = parse(ip);
  if (address?.range() !== "unicast") return true;
  return address.kind() === "ipv6" && !address.match(globalUnicast);
}

/** Address ranges that can be asked for membership. */
export interface AddressRanges {
  /** Whether an IP address lies in one of them; an IPv4-mapped one counts as its IPv4 address. False for what is no address. */
  contains(ip: string): boolean;
}

/**
 * The ranges that a variable such as CALLBACK_ALLOW_CIDRS names.
 * @throws ConfigurationError naming the range that is none, such as 10.0.0.0/33.
 */
export function rangesOf(cidrs: readonly string[]): AddressRanges {
  const ranges = cidrs.map(parseRange);
  return { contains: (ip) => isWithin(parse(ip), ranges) };
}

/**
 * Asks of one address whether it lies in any of several lists of ranges, of which there may be thousands for each message: the address is
 * parsed once, and a list once for as long as it is there.
 * @throws ConfigurationError when asked about what is no range
 */
export function membershipOf(ip: string): (cidrs: readonly string[]) => boolean {
  const address = parse(ip);
  return (cidrs) => isWithin(address, parsedList(cidrs));
}

function parsedList(cidrs: readonly string[]): readonly Range[] {
  const known = parsedLists.get(cidrs);
  if (known) return known;
  const ranges = cidrs.map((cidr) => {
    const range = parsedRanges.get(cidr) ?? parseRange(cidr);
    parsedRanges.set(cidr, range);
    return range;
  });
  parsedLists.set(cidrs, ranges);
  return ranges;
}

function parseRange(cidr: string): Range {
  if (!ipaddr.isValidCIDR(cidr))
    throw new ConfigurationError([`${cidr}: expected an address range such as 10.0.0.0/8`]);
  return ipaddr.parseCIDR(cidr);
}

function isWithin(address: Address | undefined, ranges: readonly Range[]): boolean {
  return ranges.some(([network, bits]) => address?.kind() === network.kind() && address.match(network, bits));
}

/** The library alone would read 0177.1 as an address as well: callers pass a resolved or a normalised one. */
function parse(ip: string): Address | undefined {
  return isIP(ip) ? ipaddr.process(ip) : undefined;
}
