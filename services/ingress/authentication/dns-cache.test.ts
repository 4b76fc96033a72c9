import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { DnsCache } from "./dns-cache.ts";

let nowMs: number;
let dns: DnsServer;
let cache: DnsCache;

beforeAll(async () => {
  dns = await DnsServer.start({
    "mx.x.example A": ["192.0.2.1"],
    "short.x.example A": ["192.0.2.1"],
    "x.example TXT": ["v=spf1 -all"],
    "failing.example TXT": ["SERVFAIL"],
  });
  dns.ttlS = (question) => (question === "short.x.example A" ? 10 : 3_600);
});
beforeEach(() => {
  dns.questions.length = 0;
  nowMs = 1_000;
  jest.spyOn(performance, "now").mockImplementation(() => nowMs);
  cache = new DnsCache([dns.address]);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => dns.stop());

test("an address is kept for its TTL, and for a minute at most", async () => {
  for (const [name, keptS] of [
    ["short.x.example", 10],
    ["mx.x.example", 60],
  ] as const) {
    dns.questions.length = 0;
    cache = new DnsCache([dns.address]);
    for (const afterS of [0, keptS - 1, keptS + 1]) {
      nowMs = 1_000 + afterS * 1_000;
      expect(await cache.lookup(name, "A")).toEqual(["192.0.2.1"]);
    }
    expect(dns.questions).toEqual([`${name} A`, `${name} A`]);
  }
});

test("a text, whose TTL nobody tells us, is kept by the resolver alone; who asks at the same time shares an answer", async () => {
  const [one, other] = await Promise.all([cache.lookup("x.example", "TXT"), cache.lookup("X.example", "TXT")]);
  expect(one).toEqual([["v=spf1 -all"]]);
  expect(other).toEqual(one);
  expect(other).not.toBe(one);
  expect(dns.questions).toHaveLength(1);
  await cache.lookup("x.example", "TXT");
  expect(dns.questions).toHaveLength(2);
});

test.each([
  ["an absence", "none.example", "ENOTFOUND"],
  ["a failure", "failing.example", "ESERVFAIL"],
])("%s is kept for five seconds", async (_, name, code) => {
  for (const afterS of [0, 4, 6]) {
    nowMs = 1_000 + afterS * 1_000;
    // Set back by an hour: what the clock says is no measure of how long something was kept.
    if (afterS > 0) jest.spyOn(Date, "now").mockReturnValue(0);
    await expect(cache.lookup(name, "TXT")).rejects.toMatchObject({ code });
    if (afterS === 4) dns.questions.length = 0;
  }
  expect(new Set(dns.questions)).toEqual(new Set([`${name} TXT`]));
});
