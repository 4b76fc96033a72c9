import { isIP } from "node:net";
import { type AddressRanges, isSpecialAddress, rangesOf } from "../../platform/net/special-ranges.ts";

const loopback = ["127.0.0.0/8", "::1/128"];

/**
 * The special address ranges that mail may go to. Unless they are given they are none; loopback where every name server is on
 * loopback, as in tests and trials.
 * @param dnsServers host or host:port
 */
export function allowedRanges(given: readonly string[], dnsServers: readonly string[]): AddressRanges {
  const isLocal = dnsServers.length > 0 && dnsServers.every((server) => isLoopback(hostOf(server)));
  return rangesOf(given.length > 0 ? given : isLocal ? loopback : []);
}

/**
 * Records without the addresses that must not be reached: the records of any domain must not lead us into our own network. An
 * exchanger may be an address as well (against RFC 5321 section 5.1).
 * @throws Error where nothing is left: the delivery waits, since the operator's DNS or OUTBOUND_ALLOW_CIDRS may be wrong
 */
export function reachableRecords(records: readonly unknown[], type: string, allowed: AddressRanges): unknown[] {
  const reachable = records.filter((record) => {
    const address = type === "MX" ? exchangeOf(record) : type === "A" || type === "AAAA" ? String(record) : "";
    return isIP(address) === 0 || isReachable(address, allowed);
  });
  // With a code of its own: mx-connect takes an error without one for "not found", which is final.
  if (records.length > 0 && reachable.length === 0)
    throw Object.assign(new Error("it has special addresses alone, which mail is not sent to"), { code: "ESPECIAL" });
  return reachable;
}

/** The address of an address literal (RFC 5321 section 4.1.3), or of one without brackets, which mx-connect takes as well; undefined for a domain. */
export function literalAddress(domain: string): string | undefined {
  return isIP(domain) === 0 ? /^\[(?:IPv6:)?(.+)\]$/i.exec(domain)?.[1] : domain;
}

export function isReachable(address: string, allowed: AddressRanges): boolean {
  return !isSpecialAddress(address) || allowed.contains(address);
}

function exchangeOf(record: unknown): string {
  return typeof record === "object" && record !== null && "exchange" in record ? String(record.exchange) : "";
}

function hostOf(server: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(server)?.[1] ?? (isIP(server) === 0 ? server.replace(/:\d+$/, "") : server);
}

function isLoopback(address: string): boolean {
  return rangesOf(loopback).contains(address);
}
