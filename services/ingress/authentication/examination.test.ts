import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { dkimSign } from "mailauth";
import { DnsServer } from "../../../test/support/dns-server.ts";
import { HeaderBlock } from "../header-block.ts";
import { DnsCache } from "./dns-cache.ts";
import { Examination } from "./examination.ts";

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
    "plain.example TXT": ["v=spf1 ip4:192.0.2.1 -all"],
  });
  dns = new DnsCache([dnsServer.address]);
});

afterAll(() => dnsServer.stop());

async function examine(
  content: Buffer,
  { clientAddress = "192.0.2.9", sender = "ann@strict.example", cache = dns, timeoutMs = 30_000 } = {},
) {
  const header = new HeaderBlock();
  const provenance = { clientAddress, clientName: "client.example", envelopeSender: sender };
  using examination = new Examination({ dns: cache, timeoutMs, serviceDomain: "postern.example" }, provenance, header);
  async function* chunks() {
    for (let from = 0; from < content.length; from += 50_000) yield content.subarray(from, from + 50_000);
  }
  const passed: Buffer[] = [];
  for await (const chunk of examination.watch(header.collectFrom(chunks()))) passed.push(chunk);
  expect(Buffer.concat(passed).equals(content)).toBe(true);
  return examination.conclude();
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
  const { verdict, isCertain } = await examine(message, { clientAddress: "192.0.2.1" });
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
  expect(isCertain).toBe(true);
});

test("mail of another server passes by its signature, and fails without one or with a body that it is not for", async () => {
  const genuine = await signed(message);
  expect((await examine(genuine)).verdict).toMatchObject({
    spf: "fail",
    dmarc: "pass",
    isSpfAligned: false,
    isDkimAligned: true,
  });
  const forged = Buffer.concat([genuine, Buffer.from("and more\r\n")]);
  for (const content of [message, forged]) {
    const { verdict, isCertain } = await examine(content);
    expect([verdict.dmarc, verdict.policy, verdict.isDkimAligned, isCertain]).toEqual(["fail", "reject", false, true]);
  }
});

test("a domain without a policy has none to fail, and its mail can still be told to be its own", async () => {
  const content = Buffer.from(message.toString().replace("strict", "mail.plain"));
  const { verdict } = await examine(content, { clientAddress: "192.0.2.1", sender: "ann@plain.example" });
  expect(verdict).toMatchObject({ dmarc: "none", policy: "", authorDomain: "mail.plain.example", isSpfAligned: true });
});

test("a large signed message is judged as it passes", async () => {
  const content = Buffer.concat([message, Buffer.from(`${"x".repeat(998)}\r\n`.repeat(3_000))]);
  expect((await examine(await signed(content))).verdict).toMatchObject({ dmarc: "pass", isDkimAligned: true });
});

test("an endless line, or signatures without number, count as unsigned", async () => {
  const endless = Buffer.concat([message, Buffer.from(`${"x".repeat(400_000)}\r\nend\r\n`)]);
  for (const content of [await signed(endless), await signed(message, 21)]) {
    expect((await examine(content)).verdict).toMatchObject({ dmarc: "fail", isDkimAligned: false });
  }
});

test("an answer is asked for once, whatever it is", async () => {
  await examine(message);
  const before = dnsServer.questions.length;
  await examine(message);
  expect(dnsServer.questions).toHaveLength(before);
});

test("no header makes it fail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom("From: ", "DKIM-Signature: ", "ARC-Seal: i=1; ", ""),
      async (bytes, name) => {
        expect((await examine(Buffer.concat([Buffer.from(name), bytes]))).fault).toBeUndefined();
      },
    ),
  );
});

test("a name server that is gone, or too slow, makes every conclusion uncertain", async () => {
  const gone = await DnsServer.start({});
  const address = gone.address;
  await gone.stop();
  for (const timeoutMs of [5_000, 1]) {
    const { verdict, isCertain } = await examine(message, { cache: new DnsCache([address]), timeoutMs });
    expect([verdict.dmarc, isCertain]).not.toEqual(["fail", true]);
    expect(isCertain).toBe(false);
  }
});
