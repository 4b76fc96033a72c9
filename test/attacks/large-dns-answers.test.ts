import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DnsCache } from "../../services/ingress/authentication/dns-cache.ts";
import { SpfResults } from "../../services/ingress/authentication/spf-results.ts";
import { DnsServer } from "../support/peers/dns-server.ts";

// A sender's name server says how many records it has: 4,000 addresses for each of 110 lookups kept a process busy for half a second for
// each message, and 20,000 such answers took gigabytes.

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
let dns: DnsServer;
let cache: DnsCache;

beforeAll(async () => {
  const texts = Object.fromEntries(
    ["many", "most"].map((name) => [`${name}.example TXT`, [`v=spf1 a:a.${name}.example -all`]]),
  );
  const small = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`a${at}.example A`, addresses(250)]));
  dns = await DnsServer.start({
    ...texts,
    ...small,
    "a.many.example A": addresses(257),
    "a.most.example A": addresses(256),
  });
});
beforeEach(() => {
  dns.questions.length = 0;
  cache = new DnsCache([dns.address]);
});
afterAll(() => dns.stop());

const spfOf = async (domain: string, clientAddress: string) => {
  const sender = { clientAddress, clientName: "x.example", envelopeSender: `a@${domain}` };
  const { result } = await new SpfResults().evaluate(sender, (name, type) => cache.lookup(name, type), "mx.example");
  return result;
};

test("more records than 256 are not looked at: that is no certain answer, whichever way it goes", async () => {
  expect(await spfOf("many.example", "10.0.0.1")).toBe("temperror");
  expect(await spfOf("many.example", "192.0.2.1")).toBe("temperror");
  expect(await spfOf("most.example", "10.0.0.255")).toBe("pass");
  expect(await spfOf("most.example", "192.0.2.1")).toBe("fail");
  // What failed is kept for a moment as well, so that it is not asked for with each message.
  expect(dns.questions.filter((question) => question === "a.many.example A")).toHaveLength(1);
});

test("what is kept is bounded by records, and not by answers alone", async () => {
  for (let at = 0; at < 500; at += 1) await cache.lookup(`a${at}.example`, "A");
  dns.questions.length = 0;
  await cache.lookup("a499.example", "A");
  expect(dns.questions).toEqual([]);
  await cache.lookup("a0.example", "A");
  expect(dns.questions).toEqual(["a0.example A"]);
});
