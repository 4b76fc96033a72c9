import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { accepted, type MailboxUnderTest, receive, startMailbox } from "../../../test/support/mailbox.ts";
import { Outage } from "../../platform/errors.ts";

let mailbox: MailboxUnderTest;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

const dueNow = () => mailbox.db.query("update parse_job set due_at = now()");
const kinds = async ({ ownerId, emailId }: { ownerId: string; emailId: string }) =>
  (await mailbox.client.timeline({ ownerId, emailId })).map(({ kind }) => kind);

async function attempts(emailId: string): Promise<number | undefined> {
  const { rows } = await mailbox.db.query<{ count: number }>(
    "select attempt_count as count from parse_job where email_id = $1",
    [emailId],
  );
  return rows[0]?.count;
}

test("an outage of ingress is waited out and never counted", async () => {
  const mail = accepted({ isBrowsable: true });
  mailbox.peers.raw.set(mail.rawId, new Outage("ingress"));
  await mailbox.consume(topics.mailAccepted, [mail]);
  for (let round = 0; round < 8; round++) {
    await dueNow();
    await mailbox.read();
    expect(await attempts(mail.emailId)).toBe(0);
  }
  mailbox.peers.raw.set(mail.rawId, Buffer.from("Subject: late\r\n\r\n"));
  await dueNow();
  await mailbox.read();
  expect(await kinds(mail)).toEqual(["accepted", "stored"]);
});

test("what cannot be read for another reason is kept after a few attempts, with what there is", async () => {
  const mail = accepted({ isBrowsable: true, callbackUrl: "https://example.org" });
  mailbox.peers.raw.set(mail.rawId, new Error("strange"));
  await mailbox.consume(topics.mailAccepted, [mail]);
  for (let round = 0; round < 6; round++) {
    await dueNow();
    await mailbox.read();
  }
  expect(await kinds(mail)).toEqual(["accepted", "partly_unreadable", "stored"]);
  const { payload } = await mailbox.client.callbackContent({ emailId: mail.emailId });
  expect(payload).toMatchObject({ sender: "sender@example.com", "body-plain": "" });
});

test("raw bytes that are gone are recorded", async () => {
  const mail = accepted({ isBrowsable: true });
  await mailbox.consume(topics.mailAccepted, [mail]);
  await mailbox.read();
  expect(await kinds(mail)).toEqual(["accepted", "partly_unreadable", "stored"]);
});

test("a badly made message is kept with what could be read of it", async () => {
  const { ownerId, emailId } = await receive(
    mailbox,
    `Subject: many\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${"--x\r\n\r\npart\r\n".repeat(1_200)}`,
  );
  expect(await mailbox.client.details({ ownerId, emailId })).toMatchObject({ subject: "many" });
  expect(await kinds({ ownerId, emailId })).toEqual(["accepted", "partly_unreadable", "stored", "truncated"]);
});

test("a batch of many is stored together, each with its own", async () => {
  const mails = Array.from({ length: 100 }, () => accepted({ isBrowsable: true }));
  for (const mail of mails) mailbox.peers.raw.set(mail.rawId, Buffer.from(`Subject: ${mail.emailId}\r\n\r\n`));
  await mailbox.consume(topics.mailAccepted, mails);
  await Promise.all([mailbox.read(), mailbox.read()]);
  const { rows } = await mailbox.db.query("select from content where subject = email_id::text");
  expect(rows).toHaveLength(100);
  const stored = (await mailbox.published(topics.mailStored)).map(({ emailId }) => emailId);
  expect(new Set(stored).size).toBe(stored.length);
});

test("a stop that comes while a message is read finishes it", async () => {
  const mail = accepted({ isBrowsable: true });
  mailbox.peers.raw.set(mail.rawId, Buffer.from("Subject: in hand\r\n\r\n"));
  await mailbox.consume(topics.mailAccepted, [mail]);
  const stop = new AbortController();
  const { rawMessage } = mailbox.peers.ingress;
  mailbox.peers.ingress.rawMessage = (input) => {
    mailbox.peers.ingress.rawMessage = rawMessage;
    stop.abort();
    return rawMessage(input);
  };
  await mailbox.read({ signal: stop.signal });
  expect(await kinds(mail)).toEqual(["accepted", "stored"]);
});

test("one that was read twice, its lease being over, is stored once", async () => {
  const mail = accepted({ isBrowsable: true });
  mailbox.peers.raw.set(mail.rawId, Buffer.from("Content-Type: application/pdf\r\n\r\npdf"));
  await mailbox.consume(topics.mailAccepted, [mail]);
  mailbox.peers.browsable.set(mail.bindingId, true);
  const { rawMessage } = mailbox.peers.ingress;
  mailbox.peers.ingress.rawMessage = async (input) => {
    mailbox.peers.ingress.rawMessage = rawMessage;
    await dueNow();
    await mailbox.read();
    return rawMessage(input);
  };
  await mailbox.read();
  const { ownerId, emailId } = mail;
  expect(await kinds(mail)).toEqual(["accepted", "stored"]);
  expect((await mailbox.client.details({ ownerId, emailId })).attachments).toHaveLength(1);
});
