import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { IngressUnderTest } from "../../services/ingress/test-support/ingress-under-test.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { DnsServer } from "../support/peers/dns-server.ts";

// DMARC_ENFORCE refuses what fails DMARC where the author's domain asks for it. Each of these would get mail in the name of
// bank.example past it.

let dns: DnsServer;
let ingress: IngressUnderTest;

beforeAll(async () => {
  dns = await DnsServer.start({
    "bank.example TXT": ["v=spf1 -all"],
    "_dmarc.bank.example TXT": ["v=DMARC1; p=reject"],
    "trial.example TXT": ["v=spf1 -all"],
    "_dmarc.trial.example TXT": ["v=DMARC1; p=reject; pct=0"],
    "failing.example TXT": ["SERVFAIL"],
    "failing._domainkey.attacker.example TXT": ["SERVFAIL"],
    "_dmarc.unanswered.example TXT": ["SERVFAIL"],
    "own.example TXT": ["v=spf1 ip4:127.0.0.1 -all"],
    "_dmarc.own.example TXT": ["v=DMARC1; p=none"],
  });
  ingress = await IngressUnderTest.start({ DMARC_ENFORCE: "true", DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await ingress.stop();
  await dns.stop();
});

async function send(header: string, { sender = "", recipients = ["proxy@postern.localhost"], pauseMs = 0 } = {}) {
  const client = await SmtpClient.open(ingress.port);
  await client.command(`MAIL FROM:<${sender}>`);
  for (const recipient of recipients) await client.command(`RCPT TO:<${recipient}>`);
  await client.command("DATA");
  client.send(header);
  await delay(pauseMs);
  const reply = await client.command("\r\nbody\r\n.");
  client.destroy();
  return reply.slice(0, 10);
}

const refused = "550 5.7.26";
const from = "From: ceo@bank.example\r\n";
const signature =
  "DKIM-Signature: v=1; a=rsa-sha256; d=attacker.example; s=failing; h=from; bh=Ck5SoRNWUpSR4X0COv7R5ub2pUTtl6xz4dTFz++ji4M=; b=AA==\r\n";

test.each([
  ["plainly", from],
  ["by two From fields", `${from}From: x@attacker.example\r\n`],
  ["by two From fields the other way round", `From: x@attacker.example\r\n${from}`],
  ["by a second author", "From: ceo@bank.example, x@attacker.example\r\n"],
  ["by spaces", "From: ceo @ bank . example\r\n"],
  ["by a From of 17 kB", `From: ${"a".repeat(900).concat("\r\n ").repeat(19)} <ceo@bank.example>\r\n`],
  ["by an address that readers read differently", "From: <x@attacker.example> <ceo@bank.example>\r\n"],
  ["by a signature whose key cannot be looked up", signature + from],
])("%s", async (_, header) => {
  expect(await send(header)).toBe(refused);
});

test("by a pause longer than the time for all lookups", async () => {
  expect(await send(from, { pauseMs: 6_000 })).toBe(refused);
});

test("by an envelope sender whose SPF cannot be looked up", async () => {
  expect(await send(from, { sender: "x@failing.example" })).toBe(refused);
});

test("by an author of one's own who passes", async () => {
  expect(await send("From: ceo@bank.example, a@own.example\r\n", { sender: "a@own.example" })).toBe(refused);
  expect(await send(`${from}From: a@own.example\r\n`, { sender: "a@own.example" })).toBe(refused);
});

test("by an author of one's own who passes, while the policy cannot be looked up", async () => {
  const header = "From: ceo@unanswered.example, a@own.example\r\n";
  expect(await send(header, { sender: "a@own.example" })).toBe("451 4.7.0 ");
});

test("by postmaster among the recipients", async () => {
  expect(await send(from, { recipients: ["postmaster", "proxy@postern.localhost"] })).toBe(refused);
});

test("what is no attack: a trial of the policy, an author who passes beside one who does not, no From at all", async () => {
  expect(await send("From: a@trial.example\r\n")).toBe("250 2.0.0 ");
  expect(await send("From: a@own.example, b@other.example\r\n", { sender: "a@own.example" })).toBe("250 2.0.0 ");
  expect(await send("Subject: x\r\n")).toBe("250 2.0.0 ");
});
