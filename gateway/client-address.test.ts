import type { IncomingMessage } from "node:http";
import { expect, test } from "@jest/globals";
import { clientAddress } from "./client-address.ts";

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

test.each([
  ["without proxies the header is the client's own words", 0, "198.51.100.7", "203.0.113.1"],
  ["one proxy: what it wrote last", 1, "203.0.113.1", "192.0.2.66, 203.0.113.1"],
  ["two proxies: what the outer one wrote", 2, "203.0.113.1", "192.0.2.66, 203.0.113.1, 10.0.0.2"],
  ["fewer entries than proxies: the first there is", 2, "203.0.113.1", "203.0.113.1"],
  ["no header at all: the connection", 1, "198.51.100.7", undefined],
])("%s", (_case, hops, expected, forwarded) => {
  expect(clientAddress(request("::ffff:198.51.100.7", forwarded), hops)).toBe(expected);
});
