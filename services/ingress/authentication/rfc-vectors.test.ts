import { createHash, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { dkimSign } from "mailauth";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { HeaderCollector } from "../receiving/header-collector.ts";
import { DmarcResults } from "./dmarc-results.ts";
import { DnsCache } from "./dns-cache.ts";
import { MessageAuthenticator } from "./message-authenticator.ts";
import { SpfResults } from "./spf-results.ts";

// What verifiers disagree on: RFC 6376, 8301, 8463, 8617 and 7208, by vectors of our own.

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const ed25519 = generateKeyPairSync("ed25519");
const published = (key: KeyObject) => key.export({ type: "spki", format: "der" }).toString("base64");
const message = "From: Ann <ann@x.example>\r\nTo: b@postern.example\r\nSubject: x\r\n\r\nHello\r\n";

let dns: DnsServer;

beforeAll(async () => {
  dns = await DnsServer.start({
    "x.example TXT": ["v=spf1 ip4:192.0.2.1 -all"],
    "helo.example TXT": ["v=spf1 ip4:192.0.2.9 -all"],
    "_dmarc.x.example TXT": ["v=DMARC1; p=reject"],
    "rsa._domainkey.x.example TXT": [`v=DKIM1; k=rsa; p=${published(rsa.publicKey)}`],
    "same._domainkey.x.example TXT": [`v=DKIM1; k=rsa; t=s; p=${published(rsa.publicKey)}`],
    "twice._domainkey.x.example TXT": [`v=DKIM1; k=rsa; k=rsa; p=${published(rsa.publicKey)}`],
  });
});
afterAll(() => dns.stop());

async function verify(content: string, sender = "ann@x.example") {
  const header = new HeaderCollector();
  const options = {
    lookups: new DnsCache([dns.address]),
    spf: new SpfResults(),
    dmarc: new DmarcResults(),
    timeoutMs: 30_000,
    serviceDomain: "postern.example",
  };
  const identity = { clientAddress: "192.0.2.9", clientName: "helo.example", envelopeSender: sender };
  using authenticator = new MessageAuthenticator(options, identity, header);
  async function* source() {
    yield Buffer.from(content, "latin1");
  }
  for await (const _ of authenticator.read(header.collectFrom(source())));
  const { verdict, fault } = await authenticator.result();
  expect(fault).toBeUndefined();
  return verdict;
}

async function signed(selector: string, differences: Record<string, string> = {}): Promise<string> {
  const privateKey = rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signature = { signingDomain: "x.example", selector, privateKey, algorithm: "rsa-sha256", ...differences };
  const options = { ...signature, canonicalization: "relaxed/relaxed", signatureData: [signature] };
  return (await dkimSign(message, options)).signatures + message;
}

describe("DKIM", () => {
  test("a signature that is as it should be passes", async () => {
    expect(await verify(await signed("rsa"))).toMatchObject({ dmarc: "pass", isDkimAligned: true });
    expect(await verify(await signed("same"))).toMatchObject({ dmarc: "pass", isDkimAligned: true });
  });

  test("rsa-sha1 is no pass (RFC 8301 section 3.1)", async () => {
    const verdict = await verify(await signed("rsa", { algorithm: "rsa-sha1" }));
    expect(verdict).toMatchObject({ dmarc: "fail", isDkimAligned: false });
    expect(verdict.results).toContain("dkim=policy");
  });

  test("with t=s the identity has to be of the very domain (RFC 6376 section 3.6.1)", async () => {
    const identity = { identity: "ann@mail.x.example" };
    expect(await verify(await signed("rsa", identity))).toMatchObject({ isDkimAligned: true });
    expect(await verify(await signed("same", identity))).toMatchObject({ dmarc: "fail", isDkimAligned: false });
  });

  test("an altered body is a failure (RFC 6376 section 6.1.3)", async () => {
    const verdict = await verify(`${await signed("rsa")}more\r\n`);
    expect(verdict.results).toMatch(/dkim=fail \(body hash did not verify\)/);
  });

  test.each([
    ["a tag twice", (text: string) => text.replace("; s=", "; s=rsa; s=")],
    ["a tag in capitals", (text: string) => text.replace("; d=", "; D=")],
    ["a tag without a value's sign", (text: string) => text.replace("; s=", "; x; s=")],
  ])("%s makes a signature none (RFC 6376 section 3.2)", async (_, damage) => {
    expect(await verify(damage(await signed("rsa")))).toMatchObject({ dmarc: "fail", isDkimAligned: false });
  });

  test("a key whose record has a tag twice is none", async () => {
    expect(await verify(await signed("twice"))).toMatchObject({ dmarc: "fail", isDkimAligned: false });
  });
});

/** Writes and signs one ARC set by hand, so that what is odd about it is signed as well. Its fields are canonical as they are. */
function arcSet(odd: { seal?: string; signature?: string; results?: string; leftOut?: RegExp } = {}): string {
  const sign = (text: string) => createSign("sha256").update(text).sign(rsa.privateKey, "base64");
  const bodyHash = createHash("sha256").update("Hello\r\n").digest("base64");
  const results = `arc-authentication-results:${odd.results ?? "i=1; x.example; spf=pass"}`;
  const signatureTags = odd.signature ?? "i=1; a=rsa-sha256; c=relaxed/relaxed; d=x.example; s=rsa; h=from:subject";
  const unsigned = `arc-message-signature:${signatureTags}; bh=${bodyHash}; b=`;
  const signature = unsigned + sign(`from:Ann <ann@x.example>\r\nsubject:x\r\n${unsigned}`);
  const unsealed = `arc-seal:${odd.seal ?? "i=1; a=rsa-sha256; cv=none; d=x.example; s=rsa"}; b=`;
  const seal = unsealed + sign(`${results}\r\n${signature}\r\n${unsealed}`);
  const fields = [seal, signature, results].filter((field) => !odd.leftOut?.test(field));
  return fields.map((field) => `${field}\r\n`).join("") + message;
}

describe("ARC", () => {
  test("a whole chain passes; without one there is none", async () => {
    expect(await verify(arcSet())).toMatchObject({ arc: "pass" });
    expect(await verify(message)).toMatchObject({ arc: "none" });
  });

  const tags = "a=rsa-sha256; d=x.example; s=rsa";
  const relaxed = "c=relaxed/relaxed; h=from:subject";
  test.each([
    ["sealed as failed at its beginning", arcSet({ seal: `i=1; cv=fail; ${tags}` })],
    ["sealed as passed at its beginning", arcSet({ seal: `i=1; cv=pass; ${tags}` })],
    ["without its seal", arcSet({ leftOut: /^arc-seal/ })],
    ["without its message signature", arcSet({ leftOut: /^arc-message/ })],
    ["without its authentication results", arcSet({ leftOut: /^arc-auth/ })],
    ["with authentication results alone", arcSet({ leftOut: /^arc-[ms]/ })],
    ["with a tag twice in its seal", arcSet({ seal: `i=1; cv=none; ${tags}; s=rsa` })],
    ["with a tag twice in its message signature", arcSet({ signature: `i=1; ${relaxed}; ${tags}; s=rsa` })],
    ["with an instance twice", arcSet({ seal: `i=1; i=1; cv=none; ${tags}` })],
    ["with a tag in capitals in its seal", arcSet({ seal: `i=1; cv=none; ${tags.replace("d=", "D=")}` })],
    [
      "with a tag in capitals in its message signature",
      arcSet({ signature: `i=1; ${relaxed}; ${tags.replace("s=", "S=")}` }),
    ],
    ["with an instance in capitals", arcSet({ seal: `I=1; cv=none; ${tags}` })],
    ["with an instance that is no number", arcSet({ results: "i=one; x.example; spf=pass" })],
    ["with instance 0", arcSet({ seal: `i=0; cv=none; ${tags}` })],
    ["with instance 51", arcSet({ seal: `i=51; cv=none; ${tags}` })],
    ["with a tag that has no sign of its value", arcSet({ seal: `i=1; cv=none; ${tags}; x` })],
    ["with an empty tag", arcSet({ seal: `i=1; cv=none;; ${tags}` })],
    ["with a date that is none", arcSet({ seal: `i=1; cv=none; ${tags}; t=yesterday` })],
    ["with h= in its seal", arcSet({ seal: `i=1; cv=none; ${tags}; h=from` })],
    ["with rsa-sha1", arcSet({ seal: `i=1; cv=none; ${tags.replace("256", "1")}` })],
    ["with an altered Subject", arcSet().replace("Subject: x", "Subject: y")],
    ["with an altered body", `${arcSet()}more\r\n`],
    ["of more sets than there may be", "ARC-Seal: i=2; cv=pass\r\n".repeat(60) + arcSet()],
  ])("a chain %s fails (RFC 8617 section 5.2)", async (_, content) => {
    expect(await verify(content)).toMatchObject({ arc: "fail" });
  });
});

test("SPF of a null sender is that of the name in HELO, whatever Return-Path says (RFC 7208 section 2.4)", async () => {
  expect(await verify(message, "")).toMatchObject({ spf: "pass" });
  const verdict = await verify(`Return-Path: <ann@x.example>\r\n${message}`, "");
  expect(verdict).toMatchObject({ spf: "pass", isSpfAligned: false });
  expect(verdict.results).toContain("smtp.helo=helo.example");
});

test("Ed25519 keys are read as RFC 8463 section 4 publishes them", async () => {
  const bare = ed25519.publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64");
  dns.zone["ed._domainkey.x.example TXT"] = [`v=DKIM1; k=ed25519; p=${bare}`];
  const privateKey = ed25519.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  expect(await verify(await signed("ed", { privateKey, algorithm: "ed25519-sha256" }))).toMatchObject({
    dmarc: "pass",
  });
});
