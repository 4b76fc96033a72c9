import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DnsServer } from "../../test/support/dns-server.ts";
import { DnsCache } from "./authentication/dns-cache.ts";
import { Examination } from "./authentication/examination.ts";
import { HeaderBlock } from "./header-block.ts";
import { refuseLoops } from "./trace-check.ts";

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

async function examined(header: string) {
  const block = new HeaderBlock();
  const provenance = { clientAddress: "192.0.2.1", clientName: "x.example", envelopeSender: "a@x.example" };
  const options = { dns: new DnsCache([names.address]), timeoutMs: 30_000, serviceDomain: "postern.example" };
  using examination = new Examination(options, provenance, block);
  const source = (async function* () {
    yield Buffer.from(`${header}\r\nbody\r\n`);
  })();
  for await (const _ of examination.watch(block.collectFrom(source)));
  refuseLoops(block.fields, ["proxy@postern.example"], "postern.example");
  return examination.conclude();
}

const runs = [" ", "\t", "\r\n ", "a ", " for <", '"', "(", "=;"].map((unit) => unit.repeat(sizeChars / unit.length));

test.each(["DKIM-Signature", "ARC-Seal", "ARC-Message-Signature", "Authentication-Results", "Received"])(
  "%s of half a megabyte neither holds up others nor helps its author",
  async (name) => {
    for (const run of runs) {
      const { verdict, fault } = await examined(`From: a@x.example\r\n${name}: a${run}b\r\n`);
      expect(fault).toBeUndefined();
      expect(verdict).toMatchObject({ dmarc: "fail", policy: "reject", isDkimAligned: false });
    }
  },
);

test("a From that is mostly white space is still its author's", async () => {
  for (const run of runs.slice(0, 3).map((long) => long.slice(0, sizeChars / 2 - 100))) {
    const { verdict } = await examined(`From:${run}a@x.example\r\nSubject: a${run}b\r\n`);
    expect(verdict).toMatchObject({ authorDomain: "x.example", dmarc: "fail" });
  }
});
