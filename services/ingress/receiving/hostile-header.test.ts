import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { DmarcResults } from "../authentication/dmarc-results.ts";
import { DnsCache } from "../authentication/dns-cache.ts";
import { MessageAuthenticator } from "../authentication/message-authenticator.ts";
import { SpfResults } from "../authentication/spf-results.ts";
import { HeaderCollector } from "./header-collector.ts";
import { refuseLoops } from "./received-fields.ts";

// Whatever a header is made of, it is looked at in a time that its length bears. What goes with the square of it takes
// minutes here, and the test never ends.

const sizeChars = 500_000;

let names: DnsServer;
beforeAll(async () => {
  names = await DnsServer.start({
    "x.example TXT": ["v=spf1 -all"],
    "_dmarc.x.example TXT": ["v=DMARC1; p=reject"],
  });
});
afterAll(() => names.stop());

async function authentication(header: string) {
  const block = new HeaderCollector();
  const identity = { clientAddress: "192.0.2.1", clientName: "x.example", envelopeSender: "a@x.example" };
  const options = {
    lookups: new DnsCache([names.address]),
    spf: new SpfResults(),
    dmarc: new DmarcResults(),
    timeoutMs: 30_000,
    serviceDomain: "postern.example",
  };
  using authenticator = new MessageAuthenticator(options, identity, block);
  const source = (async function* () {
    yield Buffer.from(`${header}\r\nbody\r\n`);
  })();
  for await (const _ of authenticator.read(block.collectFrom(source)));
  refuseLoops(block.fields, ["proxy@postern.example"], "postern.example");
  return authenticator.result();
}

const runs = [" ", "\t", "\r\n ", "a\r\n ", "a ", " for <", '"', "(", "=;"].map((unit) =>
  unit.repeat(sizeChars / unit.length),
);
const signature = (names: string) =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=x.example; s=k; h=${names}; bh=a; b=a\r\n`;

test.each(["DKIM-Signature", "ARC-Seal", "ARC-Message-Signature", "Authentication-Results", "Received"])(
  "%s of half a megabyte neither holds up others nor helps its author",
  async (name) => {
    for (const run of runs) {
      const { verdict, fault } = await authentication(`From: a@x.example\r\n${name}: a${run}b\r\n`);
      expect(fault).toBeUndefined();
      expect(verdict).toMatchObject({ dmarc: "fail", policy: "reject", isDkimAligned: false });
    }
  },
);

test("a From that is mostly white space is still its author's", async () => {
  for (const run of runs.slice(0, 3).map((long) => long.slice(0, sizeChars / 2 - 100))) {
    const { verdict } = await authentication(`From:${run}a@x.example\r\nSubject: a${run}b\r\n`);
    expect(verdict).toMatchObject({ authorDomain: "x.example", dmarc: "fail" });
  }
});

test("a header of many lines, or signatures of as many names, counts as unsigned: to verify it takes their square", async () => {
  const authored = `From: a@x.example\r\n${signature("from")}`;
  const { verdict: signed } = await authentication(authored);
  expect(signed.results).toContain("dkim=fail");
  for (const header of [
    `${authored}X: ${"a\r\n ".repeat(2_000)}b\r\n`,
    `${authored}${"X:\r\n a\r\n".repeat(1_000)}`,
    `${authored}${"X: a\r\n".repeat(1_000)}${signature(`from${":y".repeat(2_500)}`)}`,
  ]) {
    const { verdict } = await authentication(header);
    expect(verdict.results).toContain("dkim=none");
    expect(verdict).toMatchObject({ authorDomain: "x.example", dmarc: "fail", policy: "reject" });
  }
});

test("authors without number are none that a message could be evaluated by", async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => `Author ${at} <a${at}@x.example>`).join(",\r\n ");
  for (const before of ["", signature("from")]) {
    const { verdict: few } = await authentication(`${before}From: ${many(300)}\r\n`);
    expect(few).toMatchObject({ authorDomain: "x.example", dmarc: "fail", policy: "reject" });
    for (const authors of [
      `From: ${":".repeat(400_000)}a@x.example\r\n`,
      `From: ${many(1_000)}\r\n`,
      `${`From: ${many(100)}\r\n`.repeat(10)}`,
      // What is no field of its own is the rest of the one before.
      `From: a@x.example\r\n${`${":".repeat(900)}\r\n`.repeat(400)}`,
    ]) {
      const { verdict, fault } = await authentication(`${before}${authors}Subject: x\r\n`);
      expect(fault).toBeUndefined();
      expect(verdict).toMatchObject({
        authorDomain: "",
        dmarc: "permerror",
        isDkimAligned: false,
        isSpfAligned: false,
      });
    }
  }
});
