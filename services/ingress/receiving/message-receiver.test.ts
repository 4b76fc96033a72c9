import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTransport } from "nodemailer";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { dayMs } from "../../platform/durations.ts";
import { firstIdAt, newId } from "../../platform/ids.ts";
import { RawMessages } from "../storage/raw-messages.ts";
import { IngressUnderTest, route } from "../test-support/ingress-under-test.ts";

let ingress: IngressUnderTest;
let client: SmtpClient;

beforeEach(async () => {
  ingress = await IngressUnderTest.start();
  client = await SmtpClient.open(ingress.port);
});

afterEach(async () => {
  client.destroy();
  await ingress.stop();
});

test("a message is kept as it came, said with its route, and answered with its email's id", async () => {
  const content = "Subject: =?x?=\r\nX: \xff\xe9\r\n\r\n..dot\r\nend\r\n";
  const [, reply] = await client.deliver(["Proxy@Postern.localhost"], Buffer.from(content, "latin1"));
  const [event] = await ingress.published();
  expect(reply).toBe(`250 2.0.0 Accepted as ${event?.emailId}`);
  // These decide about the recipient, and are not published.
  const {
    isStorageFull: _,
    refusal: __,
    hasBlockedContacts: ___,
    newAddress: ____,
    rules: _____,
    ...published
  } = route;
  expect(event).toMatchObject({
    ...published,
    targets: [expect.objectContaining({ address: "real@example.net" })],
    recipient: "Proxy@Postern.localhost",
    envelopeSender: "author@example.org",
    sizeBytes: content.length - 1,
    clientAddress: "127.0.0.1",
    clientName: "client.example",
    protocol: "ESMTP",
    tls: "",
    smtpUtf8: false,
    eightBitMime: false,
  });
  expect(await ingress.rawMessage(event?.rawId ?? "")).toBe(content.replace("..dot", ".dot"));
});

test("a database that cannot be written to: 451, and nothing is said or kept", async () => {
  await ingress.db.query("alter table outbox rename to gone");
  const [, reply] = await client.deliver(["proxy@postern.localhost"], "x\r\n");
  expect(reply).toMatch(/^451 4\.3\.0 /);
  await ingress.db.query("alter table gone rename to outbox");
  const { rows } = await ingress.db.query("select from raw_message");
  expect([rows, await ingress.published()]).toEqual([[], []]);
  expect((await client.deliver(["proxy@postern.localhost"], "x\r\n"))[1]).toMatch(/^250 /);
});

test("a database that is gone: 451", async () => {
  await client.command("MAIL FROM:<>");
  await client.command("RCPT TO:<proxy@postern.localhost>");
  await client.command("DATA");
  ingress.isDatabaseGone = true;
  expect(await client.command("x\r\n.")).toMatch(/^451 4\.3\.0 /);
});

test("40 messages at once share commits and questions, and each is accepted once", async () => {
  const clients = await Promise.all(Array.from({ length: 40 }, () => SmtpClient.open(ingress.port)));
  await Promise.all(clients.map((each) => each.command("MAIL FROM:<>")));
  for (const each of clients) each.send("RCPT TO:<proxy@postern.localhost>\r\n");
  await Promise.all(clients.map((each) => each.reply()));
  expect(ingress.bindings.calls.flat()).toHaveLength(40);
  expect(ingress.bindings.calls.length).toBeLessThan(20);
  await Promise.all(clients.map((each) => each.command("DATA")));
  for (const each of clients) each.send("x\r\n.\r\n");
  const replies = await Promise.all(clients.map((each) => each.reply()));
  const ids = new Set((await ingress.published()).map((event) => event.emailId));
  expect(new Set(replies.map((reply) => reply.replace("250 2.0.0 Accepted as ", "")))).toEqual(ids);
  expect(ids.size).toBe(40);
  expect(ingress.transactions).toBeLessThan(20);
  for (const each of clients) each.destroy();
});

test("an ordinary mail program gets its message through", async () => {
  const transport = createTransport({ host: "127.0.0.1", port: ingress.port, ignoreTLS: true });
  const sent = await transport.sendMail({
    from: "a@example.org",
    to: "proxy@postern.localhost",
    subject: "Grüße",
    text: ".\n..\nend",
  });
  transport.close();
  const [event] = await ingress.published();
  expect(sent.response).toBe(`250 2.0.0 Accepted as ${event?.emailId}`);
  expect(await ingress.rawMessage(event?.rawId ?? "")).toContain("\r\n.\r\n..\r\nend");
});

test("where line endings are to be repaired, what is stored has no other than CRLF", async () => {
  const repairing = await IngressUnderTest.start({ SMTP_BARE_LINE_ENDINGS: "repair" });
  const sender = await SmtpClient.open(repairing.port);
  const [, reply] = await sender.deliver(["proxy@postern.localhost"], "A: 1\nB: 2\r\n\rone\n.\r\nMAIL FROM:<>\r\r\n");
  expect(reply).toMatch(/^250 /);
  const [event] = await repairing.published();
  expect(await repairing.rawMessage(event?.rawId)).toBe("A: 1\r\nB: 2\r\n\r\none\r\n.\r\nMAIL FROM:<>\r\n\r\n");
  sender.destroy();
  await repairing.stop();
});

test("over STARTTLS the event says so", async () => {
  await client.command("STARTTLS");
  await client.secure();
  await client.command("EHLO client.example");
  await client.deliver(["proxy@postern.localhost"], "x\r\n");
  expect(await ingress.published()).toMatchObject([
    { protocol: "ESMTPS", tls: expect.stringMatching(/^TLSv1\.3 TLS_/) },
  ]);
});

test("raw bytes stay until the last of their emails is released, and go then", async () => {
  ingress.bindings.routes.set("other", { ...route, bindingId: newId() });
  await client.deliver(["proxy@postern.localhost", "other@postern.localhost"], "x\r\n");
  const [first, second] = await ingress.published();
  if (!first || !second) throw new Error("two emails were expected");
  await ingress.release([first]);
  expect(await ingress.rawMessage(first.rawId)).toBe("x\r\n");
  // What was published for an email, its real addresses among it, goes with the email.
  const { rows } = await ingress.db.query<{ kept: string[] }>(
    "select array(select json_object_keys(convert_from(events, 'UTF8')::json)) as kept from raw_message",
  );
  expect(rows).toEqual([{ kept: [second.emailId] }]);
  await ingress.release([second, first]);
  await expect(ingress.rawMessage(first.rawId)).rejects.toMatchObject({ kind: "NotFound" });
  await expect(ingress.rawMessage("nonsense")).rejects.toMatchObject({ kind: "NotFound" });
  expect((await ingress.db.query("select from blob")).rows).toEqual([]);
});

test("raw bytes go when their time is over, whoever holds them", async () => {
  await client.deliver(["proxy@postern.localhost"], "old\r\n");
  await client.deliver(["proxy@postern.localhost"], "new\r\n");
  const [old, young] = await ingress.published();
  const oldId = firstIdAt(new Date(Date.now() - 46 * dayMs));
  for (const [table, column] of [
    ["blob", "id"],
    ["raw_message", "raw_id"],
  ])
    await ingress.db.query(`update ${table} set ${column} = $1 where ${column} = $2`, [oldId, old?.rawId]);
  expect(await new RawMessages(ingress.db, ingress.blobs).expire(45)).toBe(false);
  await expect(ingress.rawMessage(oldId)).rejects.toMatchObject({ kind: "NotFound" });
  expect(await ingress.rawMessage(young?.rawId)).toBe("new\r\n");
  expect((await ingress.db.query("select from blob")).rowCount).toBe(1);
});

test("a large message comes through whole, and nothing is left of one that is broken off", async () => {
  const line = `${"x".repeat(998)}\r\n`;
  const message = `Subject: x\r\n\r\n${line.repeat(30 * 1024)}`;
  const [, reply] = await client.deliver(["proxy@postern.localhost"], message);
  expect(reply).toMatch(/^250 /);
  const [event] = await ingress.published();
  expect(event?.sizeBytes).toBe(message.length);
  expect((await ingress.rawMessage(event?.rawId)) === message).toBe(true);

  const vanishing = await SmtpClient.open(ingress.port);
  vanishing.send("MAIL FROM:<>\r\nRCPT TO:<proxy@postern.localhost>\r\nDATA\r\n");
  await vanishing.replies(3);
  vanishing.send(`\r\n${line.repeat(2_000)}`);
  const written = "select from blob where unattached_since is not null";
  while ((await ingress.db.query(written)).rowCount === 0) await new Promise(setImmediate);
  vanishing.destroy();
  while ((await ingress.db.query(written)).rowCount > 0) await new Promise(setImmediate);
  expect((await ingress.db.query("select distinct blob_id from blob_chunk")).rowCount).toBe(1);
});
