import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { parseFields } from "../../message/header/fields.ts";
import { unevaluated } from "../authentication/author-verdict.ts";
import { authorsOf } from "../authentication/authors.ts";
import { ownNameUse } from "../authentication/own-name-use.ts";
import { noVerdict } from "../authentication/verdict.ts";
import { IngressUnderTest, route } from "../test-support/ingress-under-test.ts";
import { MailTransaction } from "./mail-transaction.ts";
import { SenderPolicy } from "./sender-policy.ts";

let dns: DnsServer;

beforeAll(async () => {
  dns = await DnsServer.start({
    "strict.example TXT": ["v=spf1 -all"],
    "_dmarc.strict.example TXT": ["v=DMARC1; p=reject"],
    "loose.example TXT": ["v=spf1 -all"],
    "_dmarc.loose.example TXT": ["v=DMARC1; p=quarantine"],
  });
});

afterAll(() => dns.stop());

/** The replies to a message from each author, and what was published of those that came through. */
async function deliver(environment: Readonly<Record<string, string>>, recipient = "proxy@postern.localhost") {
  const ingress = await IngressUnderTest.start({ DNS_SERVERS: dns.address, ...environment });
  const client = await SmtpClient.open(ingress.port);
  const replies: string[] = [];
  for (const author of ["ann@strict.example", "ann@loose.example"]) {
    const [, reply = ""] = await client.deliver([recipient], `From: ${author}\r\n\r\nx\r\n`, author);
    replies.push(reply.slice(0, 10));
  }
  const published = await ingress.published();
  client.destroy();
  await ingress.stop();
  return { replies, published };
}

test("the verdict is recorded, and nobody is refused for it", async () => {
  const { replies, published } = await deliver({});
  expect(replies).toEqual(["250 2.0.0 ", "250 2.0.0 "]);
  expect(published).toMatchObject([
    {
      authenticationResults: expect.stringMatching(/^postern\.localhost;.* dmarc=fail /s),
      authentication: { authorDomain: "strict.example", dmarc: "fail", policy: "reject", spf: "fail", arc: "none" },
    },
    { authentication: { authorDomain: "loose.example", dmarc: "fail", policy: "quarantine" } },
  ]);
});

test("enforced, it is the author's domain that asks for a refusal", async () => {
  const { replies, published } = await deliver({ DMARC_ENFORCE: "true" });
  expect(replies).toEqual(["550 5.7.26", "250 2.0.0 "]);
  expect(published).toMatchObject([{ envelopeSender: "ann@loose.example" }]);
});

test.each([
  ["no domain", "From: root"],
  ["no author", "From: Nobody:;"],
  ["several domains", "From: ann@one.example, bob@two.example"],
])("enforced, a From with %s is refused for that, since no domain asked for it", async (_, from) => {
  const ingress = await IngressUnderTest.start({ DNS_SERVERS: dns.address, DMARC_ENFORCE: "true" });
  const client = await SmtpClient.open(ingress.port);
  const [, reply] = await client.deliver(["proxy@postern.localhost"], `${from}\r\n\r\nx\r\n`);
  client.destroy();
  await ingress.stop();
  expect(reply).toMatch(/^550 5\.7\.26 From /);
});

test("enforced, postmaster still hears from everybody", async () => {
  const { replies } = await deliver({ DMARC_ENFORCE: "true" }, "postmaster");
  expect(replies).toEqual(["250 2.0.0 ", "250 2.0.0 "]);
});

test("enforced, what DNS cannot answer for now is to come again", async () => {
  const { replies } = await deliver({ DMARC_ENFORCE: "true", DNS_SERVERS: "127.0.0.1:1" });
  expect(replies).toEqual(["451 4.7.0 ", "451 4.7.0 "]);
});

test("after an unexpected error of the verifier nothing is refused for good, and under DMARC_ENFORCE nothing passes unevaluated", async () => {
  const recipient = { kind: "binding", address: "proxy@postern.localhost", route } as const;
  const transaction = new MailTransaction("");
  transaction.add(recipient);
  const bindings = { isAnyReserved: async () => ({ isReserved: true }) };
  const check = (address: string, enforcesDmarc: boolean) => {
    const authors = authorsOf(parseFields(Buffer.from(`From: ${address}\r\n`)));
    const authorVerdicts = authors.addresses.map(({ domain }) => unevaluated(domain));
    const ownName = ownNameUse(authors, authorVerdicts, "postern.localhost");
    const authentication = {
      verdict: noVerdict,
      authors,
      authorVerdicts,
      ownName,
      signatures: [],
      spf: undefined,
      fault: new Error("bug"),
    };
    return new SenderPolicy({ bindings, enforcesDmarc, trustedSealers: [] }).check(authentication, transaction);
  };
  await check("a@bank.example", false);
  await expect(check("a@bank.example", true)).rejects.toMatchObject({ reason: "senderUndecided" });
  await expect(check("postmaster@postern.localhost", false)).rejects.toMatchObject({ reason: "senderUndecided" });
});

test("bindings is asked once, however many names of ours a message claims to be from", async () => {
  const transaction = new MailTransaction("");
  transaction.add({ kind: "binding", address: "proxy@postern.localhost", route });
  const asked: string[][] = [];
  const isAnyReserved = async ({ localParts }: { localParts: string[] }) => {
    asked.push(localParts);
    return { isReserved: false };
  };
  const names = Array.from({ length: 500 }, (_, index) => `name${index}`);
  const header = `From: ${names.map((name) => `${name}@postern.localhost`).join(", ")}, name1@postern.localhost\r\n`;
  const authors = authorsOf(parseFields(Buffer.from(header)));
  const ownName = ownNameUse(authors, [], "postern.localhost");
  const authentication = { verdict: noVerdict, authors, authorVerdicts: [], ownName, signatures: [], spf: undefined };
  await new SenderPolicy({ bindings: { isAnyReserved }, enforcesDmarc: false, trustedSealers: [] }).check(
    authentication,
    transaction,
  );
  expect(asked).toEqual([names]);
});
