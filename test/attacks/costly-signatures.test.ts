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

/** Of how many signatures there is a result. */
async function verifiedCount(lengthTags: readonly string[]): Promise<number> {
  const header = new HeaderCollector();
  const identity = { clientAddress: "192.0.2.1", clientName: "x.example", envelopeSender: "a@x.example" };
  using authenticator = new MessageAuthenticator(
    { lookups, spf: new SpfResults(), dmarc: new DmarcResults(), timeoutMs: 30_000, serviceDomain: "postern.example" },
    identity,
    header,
  );
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
