import { expect, test } from "@jest/globals";
import { ConfigurationError } from "../errors.ts";
import { isSpecialAddress, rangesOf } from "./special-ranges.ts";

test.each([
  ["this network", "0.0.0.0"],
  ["loopback", "127.8.9.10"],
  ["private", "10.0.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["link-local, where clouds keep their metadata", "169.254.169.254"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["documentation", "192.0.2.1"],
  ["benchmarking", "198.18.0.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
  ["IPv4-mapped loopback in hexadecimal", "::ffff:7f00:1"],
  ["IPv4-compatible loopback", "::7f00:1"],
  ["NAT64 of anything", "64:ff9b::808:808"],
  ["6to4 of a private address", "2002:a00:1::"],
  ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["unique local", "fd00::1"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["documentation", "2001:db8::1"],
  ["never given out", "4000::1"],
  ["no address", "localhost"],
  ["a notation that only URLs and C know", "0177.1"],
  ["nothing", ""],
])("%s is special: %s", (_, address) => {
  expect(isSpecialAddress(address)).toBe(true);
});

test.each(["1.1.1.1", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "2606:4700:4700::1111", "2a00:1450::1"])(
  "%s is an ordinary address",
  (address) => {
    expect(isSpecialAddress(address)).toBe(false);
  },
);

test("ranges contain what lies in them, in either family", () => {
  const ranges = rangesOf(["127.0.0.0/8", "10.1.0.0/16", "fd00::/8", "::1/128"]);
  for (const inside of ["127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "fd12::1", "::1"])
    expect(ranges.contains(inside)).toBe(true);
  for (const outside of ["10.2.0.1", "8.8.8.8", "fe80::1", "::2", "localhost", ""])
    expect(ranges.contains(outside)).toBe(false);
  expect(rangesOf([]).contains("127.0.0.1")).toBe(false);
});

test.each(["10.0.0.0/33", "300.0.0.0/8", "::/129", "nonsense"])("%s is no range", (cidr) => {
  expect(() => rangesOf([cidr])).toThrow(ConfigurationError);
});
