import ipaddr from "ipaddr.js";

/** An IPv6 host has a whole /64 to itself (RFC 4291 section 2.5.4). */
export function network(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress;
  const address = ipaddr.parse(clientAddress);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return address.isIPv4MappedAddress()
    ? address.toIPv4Address().toString()
    : address.toByteArray().slice(0, 8).join(".");
}
