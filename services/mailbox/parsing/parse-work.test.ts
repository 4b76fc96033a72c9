import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { Outage } from "../../platform/errors.ts";
import { askForResend, listDeadEvents } from "../../platform/events/dead-events.ts";
import { accepted, type MailboxUnderTest, receive, startMailbox } from "../test-support/mailbox-under-test.ts";

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

test("an email that can never be stored holds up none of its batch: it is parked, listed, and stored when asked for again", async () => {
  await mailbox.db.query(`create function refuse_poison() returns trigger language plpgsql as
    $$ begin if new.subject = 'poison' then raise exception 'this is poison'; end if; return new; end $$`);
  await mailbox.db.query(
    "create trigger poison before insert on content for each row execute function refuse_poison()",
  );
  const mails = ["poison", "good", "better"].map((subject) => ({ subject, mail: accepted({ isBrowsable: true }) }));
  for (const { subject, mail } of mails) mailbox.peers.raw.set(mail.rawId, Buffer.from(`Subject: ${subject}\r\n\r\n`));
  const [poison, ...others] = mails.map(({ mail }) => mail);
  await mailbox.consume(
    topics.mailAccepted,
    mails.map(({ mail }) => mail),
  );
  await mailbox.read();
  for (const mail of others) expect(await kinds(mail)).toEqual(["accepted", "stored"]);
  if (!poison) return;
  // What cannot be stored at all: not even without its content, which is what the last attempts are.
  await mailbox.db.query("update parse_job set attempt_count = 7, full_attempt_at = null");
  await mailbox.db.query(`create or replace function refuse_poison() returns trigger language plpgsql as
    $$ begin raise exception 'this is poison'; end $$`);
  await dueNow();
  await mailbox.read();
  const [dead] = await listDeadEvents(mailbox.db);
  expect(dead).toMatchObject({ consumer: "mailbox.parse_job", topic: "job", eventId: poison.emailId });
  await mailbox.db.query("drop trigger poison on content");
  await askForResend(mailbox.db, [dead?.id ?? ""]);
  await mailbox.read();
  expect(await kinds(poison)).toEqual(["accepted", "stored"]);
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
