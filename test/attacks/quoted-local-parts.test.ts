import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { IngressUnderTest } from "../../services/ingress/test-support/ingress-under-test.ts";
import { SmtpClient } from "../support/mail/smtp.ts";

// A quoted local part may hold blanks, brackets, "@" and what looks like parameters. Who reads it otherwise than we do takes another
// address, or another command.

let ingress: IngressUnderTest;
beforeAll(async () => {
  ingress = await IngressUnderTest.start();
});
afterAll(() => ingress.stop());

test.each([
  '"a> RCPT TO:<victim@y.example"@x.example',
  '"victim@y.example> SIZE=1 <"@x.example',
  '"a\\" @y.example"@x.example',
  '"x, victim@y.example "@x.example',
])("%s is one sender, and its domain the last one", async (sender) => {
  const client = await SmtpClient.open(ingress.port);
  const [, reply] = await client.deliver(["proxy@postern.localhost"], "Subject: x\r\n\r\nHi\r\n", sender);
  client.destroy();
  expect(reply).toMatch(/^250 2\.0\.0 /);
  const email = (await ingress.published()).at(-1);
  expect(email?.envelopeSender).toBe(sender);
});

test.each([
  '"x> <proxy@postern.localhost"@y.example',
  '"proxy@postern.localhost "@y.example',
  '" postmaster"@y.example',
])("%s is no recipient of ours", async (recipient) => {
  const client = await SmtpClient.open(ingress.port);
  await client.command("MAIL FROM:<a@x.example>");
  expect(await client.command(`RCPT TO:<${recipient}>`)).toMatch(/^5\d\d /);
  expect(await client.command("DATA")).toMatch(/^503 /);
  client.destroy();
});

test.each([
  'MAIL FROM:<"a b"@x.example> SIZE=1 SIZE=2',
  'MAIL FROM:<"a b"@x.example>SIZE=1',
  'MAIL FROM:<"a b"@x.example><c@x.example>',
  'MAIL FROM:<<"a b"@x.example>>',
  `MAIL FROM:<"${"\\\\ ".repeat(4_000)}@x.example>`,
  `MAIL FROM:<${'"a b"'.repeat(1_000)}@x.example>`,
])("the line %j is refused, and the next one is read by itself", async (line) => {
  const client = await SmtpClient.open(ingress.port);
  expect(await client.command(line)).toMatch(/^501 /);
  expect(await client.command("MAIL FROM:<a@x.example>")).toMatch(/^250 /);
  client.destroy();
});
