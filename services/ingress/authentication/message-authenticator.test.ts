import { generateKeyPairSync } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { dkimSign } from "mailauth";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { HeaderCollector } from "../receiving/header-collector.ts";
import { DmarcResults } from "./dmarc-results.ts";
import { DnsCache, type Lookups, lookupError } from "./dns-cache.ts";
import { MessageAuthenticator } from "./message-authenticator.ts";
import { SpfResults } from "./spf-results.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const keyRecord = `v=DKIM1; k=ed25519; p=${publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64")}`;
const message = Buffer.from("From: Ann <ann@strict.example>\r\nTo: b@postern.example\r\nSubject: x\r\n\r\nHello\r\n");

let dnsServer: DnsServer;
let dns: DnsCache;

beforeAll(async () => {
  dnsServer = await DnsServer.start({
    "strict.example TXT": ["v=spf1 ip4:192.0.2.1 -all"],
    "_dmarc.strict.example TXT": ["v=DMARC1; p=reject"],
    "key._domainkey.strict.example TXT": [keyRecord],
    "_dmarc.trial.example TXT": ["v=DMARC1; p=reject; pct=0"],
    "plain.example TXT": ["v=spf1 ip4:192.0.2.1 -all"],
  });
  dns = new DnsCache([dnsServer.address]);
});

afterAll(() => dnsServer.stop());

async function verify(
  content: Buffer,
  {
    clientAddress = "192.0.2.9",
    sender = "ann@strict.example",
    cache = dns as Lookups,
    timeoutMs = 30_000,
    pauseMs = 0,
  } = {},
) {
  const header = new HeaderCollector();
  const identity = { clientAddress, clientName: "client.example", envelopeSender: sender };
  using authenticator = new MessageAuthenticator(
    { lookups: cache, spf: new SpfResults(), dmarc: new DmarcResults(), timeoutMs, serviceDomain: "postern.example" },
    identity,
    header,
  );
  async function* chunks() {
    await delay(pauseMs);
    for (let from = 0; from < content.length; from += 50_000) yield content.subarray(from, from + 50_000);
  }
  const passed: Buffer[] = [];
  for await (const chunk of authenticator.read(header.collectFrom(chunks()))) passed.push(chunk);
  expect(Buffer.concat(passed).equals(content)).toBe(true);
  return authenticator.result();
}

async function signed(content: Buffer, count = 1): Promise<Buffer> {
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signature = { signingDomain: "strict.example", selector: "key", privateKey: key, algorithm: "ed25519-sha256" };
  // mailauth's types know only the former half of this, its code only the latter.
  const options = { ...signature, canonicalization: "relaxed/relaxed", signatureData: [signature] };
  const { signatures } = await dkimSign(content, options);
  return Buffer.concat([Buffer.from(signatures.repeat(count)), content]);
}

test("mail of the domain's own server passes by SPF", async () => {
  const { verdict, authorVerdicts } = await verify(message, { clientAddress: "192.0.2.1" });
  expect(verdict).toMatchObject({
    spf: "pass",
    dmarc: "pass",
    policy: "reject",
    authorDomain: "strict.example",
    isSpfAligned: true,
    isDkimAligned: false,
    arc: "none",
  });
  expect(verdict.results).toMatch(/^postern\.example;\r\n dkim=none .* spf=pass .* dmarc=pass /s);
  expect(authorVerdicts).toMatchObject([{ domain: "strict.example", proof: "proved" }]);
});

test("mail of another server passes by its signature, and fails without one or with a body that it is not for", async () => {
  const genuine = await signed(message);
  expect((await verify(genuine)).verdict).toMatchObject({
    spf: "fail",
    dmarc: "pass",
    isSpfAligned: false,
    isDkimAligned: true,
  });
  const forged = Buffer.concat([genuine, Buffer.from("and more\r\n")]);
  for (const content of [message, forged]) {
    const { verdict, authorVerdicts } = await verify(content);
    expect([verdict.dmarc, verdict.policy, verdict.isDkimAligned]).toEqual(["fail", "reject", false]);
    expect(authorVerdicts).toMatchObject([{ proof: "unproved" }]);
  }
});

test("a domain without a policy has none to fail, and its mail can still be told to be its own", async () => {
  const content = Buffer.from(message.toString().replace("strict", "mail.plain"));
  const { verdict } = await verify(content, { clientAddress: "192.0.2.1", sender: "ann@plain.example" });
  expect(verdict).toMatchObject({ dmarc: "none", policy: "", authorDomain: "mail.plain.example", isSpfAligned: true });
});

test("a large signed message is evaluated as it passes", async () => {
  const content = Buffer.concat([message, Buffer.from(`${"x".repeat(998)}\r\n`.repeat(3_000))]);
  expect((await verify(await signed(content))).verdict).toMatchObject({ dmarc: "pass", isDkimAligned: true });
});

test("an endless line, or signatures without number, count as unsigned", async () => {
  const endless = Buffer.concat([message, Buffer.from(`${"x".repeat(400_000)}\r\nend\r\n`)]);
  for (const content of [await signed(endless), await signed(message, 21)]) {
    expect((await verify(content)).verdict).toMatchObject({ dmarc: "fail", isDkimAligned: false });
  }
});

test("no header makes it fail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom("From: ", "DKIM-Signature: ", "ARC-Seal: i=1; ", ""),
      async (bytes, name) => {
        expect((await verify(Buffer.concat([Buffer.from(name), bytes]))).fault).toBeUndefined();
      },
    ),
  );
});

test("a name server that is gone, or too slow, leaves open what it might have proved", async () => {
  const gone = await DnsServer.start({});
  const address = gone.address;
  await gone.stop();
  for (const timeoutMs of [5_000, 1]) {
    const { verdict, authorVerdicts } = await verify(message, { cache: new DnsCache([address]), timeoutMs });
    expect(verdict.dmarc).toBe("temperror");
    expect(authorVerdicts).toMatchObject([{ proof: "unknown" }]);
  }
});

test("time begins with the first lookup, and a slow server of keys takes none from the policy", async () => {
  const records: Record<string, string[][]> = {
    "strict.example": [["v=spf1 ip4:192.0.2.1 -all"]],
    "_dmarc.strict.example": [["v=DMARC1; p=reject"]],
  };
  const slowKeys = {
    lookup: async (name: string) => {
      if (name.includes("_domainkey")) return new Promise<never>(() => undefined);
      // Before any timer that is due, however slow the machine is, and behind a deadline that has passed.
      await new Promise((resolve) => process.nextTick(resolve));
      const found = records[name];
      if (!found) throw lookupError("ENOTFOUND", name);
      return found;
    },
  };
  const { verdict, authorVerdicts } = await verify(await signed(message), {
    cache: slowKeys,
    timeoutMs: 100,
    pauseMs: 200,
  });
  expect(verdict).toMatchObject({ spf: "fail", dmarc: "fail", policy: "reject" });
  expect(authorVerdicts).toMatchObject([{ proof: "unknown" }]);
});

const two = (first: string, second: string) =>
  Buffer.from(`From: ${first}\r\nFrom: ${second}\r\nSubject: x\r\n\r\nHello\r\n`);

test.each([
  ["ann@strict.example", "bob@plain.example"],
  ["bob@plain.example", "ann@strict.example"],
])("of two From fields by %s and %s the strictest counts", async (first, second) => {
  for (const content of [two(first, second), Buffer.from(`From: ${first}, ${second}\r\n\r\nx\r\n`)]) {
    const { verdict } = await verify(content, { clientAddress: "192.0.2.1", sender: "bob@plain.example" });
    expect(verdict).toMatchObject({ dmarc: "fail", policy: "reject", authorDomain: "", isSpfAligned: false });
    expect(verdict.results).toMatch(/dmarc=fail .*header\.from=strict\.example/);
    expect(verdict.results).toMatch(/dmarc=none .*header\.from=plain\.example/);
  }
});

test("an author who cannot be read has a verdict, and it is no pass", async () => {
  const content = Buffer.from("From: ann@strict.example@plain.example\r\n\r\nx\r\n");
  const { verdict } = await verify(content, { clientAddress: "192.0.2.1" });
  expect(verdict).toMatchObject({ dmarc: "permerror", authorDomain: "", isSpfAligned: false, isDkimAligned: false });
  expect(verdict.results).toContain("dmarc=permerror");
});

test("pct=0 asks for nothing to be done", async () => {
  const { authorVerdicts } = await verify(Buffer.from("From: a@trial.example\r\n\r\nx\r\n"));
  expect(authorVerdicts).toMatchObject([{ dmarc: "fail", policy: "reject", isPolicyInForce: false }]);
});
