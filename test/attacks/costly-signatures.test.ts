import { createHash, createPublicKey } from "node:crypto";
import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { DmarcResults } from "../../services/ingress/authentication/dmarc-results.ts";
import { type Lookups, lookupError } from "../../services/ingress/authentication/dns-cache.ts";
import { MessageAuthenticator } from "../../services/ingress/authentication/message-authenticator.ts";
import { SpfResults } from "../../services/ingress/authentication/spf-results.ts";
import { HeaderCollector } from "../../services/ingress/receiving/header-collector.ts";

// The body is canonicalized and hashed once for each length that signatures name (l=), to its end: 34 MB with twenty took 13 s of CPU.

const signature = (at: number, lengthTag: string) =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=d${at}.example; s=s; h=from;${lengthTag}\r\n\tbh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA\r\n`;

const lookups: Lookups = {
  lookup: async (name, type) => {
    throw lookupError("ENOTFOUND", `${type} of ${name}`);
  },
};

function authenticatorWith(lookups: Lookups, header: HeaderCollector): MessageAuthenticator {
  return new MessageAuthenticator(
    { lookups, spf: new SpfResults(), dmarc: new DmarcResults(), timeoutMs: 30_000, serviceDomain: "postern.example" },
    { clientAddress: "192.0.2.1", clientName: "x.example", envelopeSender: "a@x.example" },
    header,
  );
}

/** Of how many signatures there is a result. */
async function verifiedCount(lengthTags: readonly string[]): Promise<number> {
  const header = new HeaderCollector();
  using authenticator = authenticatorWith(lookups, header);
  const signatures = lengthTags.map((tag, at) => signature(at, tag)).join("");
  async function* message() {
    yield Buffer.from(`${signatures}From: a@x.example\r\n\r\nbody\r\n`);
  }
  for await (const _ of authenticator.read(header.collectFrom(message())));
  const { signatures: verified } = await authenticator.result();
  return verified.length;
}

test("signatures with more than two lengths are not verified, however the tag is written", async () => {
  expect(await verifiedCount([" l=1;", " l=2;", " l=3;"])).toBe(0);
  expect(await verifiedCount(["l=1;", "\r\n\tl\r\n\t=\r\n\t2;", "\tl =3 ;", ""])).toBe(0);
});

test("twenty signatures of the whole, or of two lengths, are", async () => {
  expect(await verifiedCount(Array(20).fill(""))).toBe(20);
  expect(await verifiedCount([" l=1;", " l=1;", " l=2;", "", " x=9999999999; z=l=7;"])).toBe(5);
});

const bodyHash = createHash("sha256").update("body\r\n").digest("base64");

/** A public key that nobody needs to have the private one of, to make others compute. */
function keyRecord(modulusBits: number, exponent: Buffer): string {
  const n = Buffer.alloc(modulusBits / 8, 0xff).toString("base64url");
  const key = createPublicKey({ key: { kty: "RSA", n, e: exponent.toString("base64url") }, format: "jwk" });
  return key.export({ format: "der", type: "spki" }).toString("base64");
}

/** What is said of a signature, which nobody made, with the key in a record. */
async function resultOf(record: string): Promise<string | undefined> {
  const keys: Lookups = { lookup: async (name, type) => (isKey(name) ? [[record]] : lookups.lookup(name, type)) };
  const header = new HeaderCollector();
  using authenticator = authenticatorWith(keys, header);
  const signed = signature(0, "").replace(/bh=[^;]*/, `bh=${bodyHash}`);
  const message = Readable.from([Buffer.from(`${signed}From: a@x.example\r\n\r\nbody\r\n`)]);
  for await (const _ of authenticator.read(header.collectFrom(message)));
  return (await authenticator.result()).verdict.results.match(/dkim=.*/)?.[0];
}

const isKey = (name: string) => name.endsWith("._domainkey.d0.example");
const usual = Buffer.of(1, 0, 1);

// RFC 8301 section 3.2: verifiers validate with keys of 1024 to 4096 bits. One of 16384 with an exponent of 64 takes 3.3 ms a signature.
test.each([
  ["of 4104 bits", (key: string) => `v=DKIM1; k=rsa; p=${key}`, 4_104, usual],
  ["of 16384 bits", (key: string) => `v=DKIM1; k=rsa; p=${key}`, 16_384, Buffer.alloc(8, 0xff)],
  ["with an exponent of 40 bits", (key: string) => `v=DKIM1; p=${key}; t=s`, 2_048, Buffer.alloc(5, 0xff)],
  ["with an exponent as long as the modulus", (key: string) => `p=${key}`, 1_024, Buffer.alloc(127, 0xff)],
  ["that is written with spaces", (key: string) => `v=DKIM1; p = ${key.replace(/.{60}/g, "$& ")}`, 8_192, usual],
])("nothing is computed with an RSA key %s", async (_, recordOf, modulusBits, exponent) => {
  expect(await resultOf(recordOf(keyRecord(modulusBits, exponent)))).toMatch(/^dkim=neutral \(invalid public key\)/);
});

test.each([1_024, 2_048, 4_096])("an RSA key of %d bits is used", async (modulusBits) => {
  for (const exponent of [Buffer.of(3), usual, Buffer.alloc(4, 0xff)]) {
    expect(await resultOf(`v=DKIM1; k=rsa; p=${keyRecord(modulusBits, exponent)}`)).toMatch(
      /^dkim=fail \(bad signature\)/,
    );
  }
});
