import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { dkimSign, sealMessage } from "mailauth";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { newId } from "../../platform/ids.ts";
import { IngressUnderTest, route } from "../test-support/ingress-under-test.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const listed = "From: ann@strict.example\r\nTo: list@list.example\r\nSubject: [list] x\r\n\r\nx\r\n-- \r\nthe list\r\n";

let dns: DnsServer;
let ingress: IngressUnderTest;

beforeAll(async () => {
  dns = await DnsServer.start({
    "strict.example TXT": ["v=spf1 -all"],
    "_dmarc.strict.example TXT": ["v=DMARC1; p=reject"],
    "_dmarc.other.example TXT": ["v=DMARC1; p=reject"],
    "key._domainkey.list.example TXT": [keyRecord],
    "key._domainkey.stranger.example TXT": [keyRecord],
  });
  ingress = await IngressUnderTest.start({
    DNS_SERVERS: dns.address,
    DMARC_ENFORCE: "true",
    ARC_TRUSTED_SEALERS: "LIST.example,elsewhere.example",
  });
  ingress.bindings.routes.set("answering", { ...route, bindingId: newId(), answers: true });
});

afterAll(async () => {
  await ingress.stop();
  await dns.stop();
});

/** With a set of ARC on top. */
async function sealed(message: string, { by = "list.example", dmarc = "pass", author = "strict.example" } = {}) {
  const authResults = `${by}; dkim=pass header.i=@${author}; dmarc=${dmarc} header.from=${author}`;
  const seal = { signingDomain: by, selector: "key", privateKey: pem, authResults };
  return (await sealMessage(Buffer.from(message), seal)).toString() + message;
}

async function replyTo(message: string, name = "proxy"): Promise<string> {
  const client = await SmtpClient.open(ingress.port);
  const [, reply = ""] = await client.deliver([`${name}@postern.localhost`], message, "bounces@list.example");
  client.destroy();
  return reply.slice(0, 10);
}

const [accepted, refused] = ["250 2.0.0 ", "550 5.7.26"];

test("what a trusted list sealed, after DMARC had passed there, is taken though it fails here, and says so", async () => {
  expect(await replyTo(await sealed(listed))).toBe(accepted);
  const [email] = (await ingress.published()).slice(-1);
  expect(email).toMatchObject({ authentication: { dmarc: "fail", policy: "reject", arc: "pass" } });
});

test("the same is no forgery where the owner can answer", async () => {
  expect(await replyTo(await sealed(listed), "answering")).toBe(accepted);
  expect(await replyTo(listed, "answering")).toBe(refused);
});

test("a trusted list's word counts of a message that another had sealed before it", async () => {
  const twice = await sealed(listed, { by: "stranger.example" });
  const seal = { signingDomain: "list.example", selector: "key", privateKey: pem, cv: "pass" };
  const authResults = "list.example; dmarc=pass header.from=strict.example";
  const set = await sealMessage(Buffer.from(twice), { ...seal, authResults });
  expect(await replyTo(set.toString() + twice)).toBe(accepted);
});

describe("a refusal is not escaped", () => {
  test.each([
    ["without a seal", async () => listed],
    ["by the seal of a stranger", () => sealed(listed, { by: "stranger.example" })],
    [
      "by a stranger's seal over a trusted one",
      async () => {
        const inner = await sealed(listed);
        const seal = { signingDomain: "stranger.example", selector: "key", privateKey: pem, cv: "pass" };
        const authResults = "stranger.example; dmarc=pass header.from=strict.example";
        return (await sealMessage(Buffer.from(inner), { ...seal, authResults })).toString() + inner;
      },
    ],
    ["by a seal over a DMARC that failed there", () => sealed(listed, { dmarc: "fail" })],
    ["by a seal about another author", () => sealed(listed, { author: "other.example" })],
    ["by a change after the seal", async () => `${await sealed(listed)}more\r\n`],
    ["by another author added above the seal", async () => `From: ceo@strict.example\r\n${await sealed(listed)}`],
    [
      "by a signature of the list's that is no seal",
      async () => {
        const key = { signingDomain: "list.example", selector: "key", privateKey: pem };
        const { signatures } = await dkimSign(Buffer.from(listed), { ...key, signatureData: [key] });
        return signatures + listed;
      },
    ],
    [
      "by a stranger's seal in a set that the list signed",
      async () => (await sealed(listed)).replace(/(ARC-Seal:(?:.|\r\n\s)*?d=)list\.example/, "$1stranger.example"),
    ],
  ])("%s", async (_, message) => {
    expect(await replyTo(await message())).toBe(refused);
  });
});
