import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Channel, Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import {
  accepted,
  deferred,
  type MailboxUnderTest,
  receive,
  secondTarget,
  settled,
  startMailbox,
  targets,
} from "../test-support/mailbox-under-test.ts";

let mailbox: MailboxUnderTest;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

const callbackUrl = "https://example.org/hook";
const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 0, 5, 10, 0, second)));

async function isProcessed(emailId: string): Promise<boolean | undefined> {
  const { rows } = await mailbox.db.query<{ is: boolean }>("select is_processed as is from email where id = $1", [
    emailId,
  ]);
  return rows[0]?.is;
}

async function released(emailId: string): Promise<string[]> {
  const messages = await mailbox.published(topics.mailReleased);
  return messages.filter((message) => message.emailId === emailId).map((message) => message.rawId);
}

test("what nobody waits for is processed and released at once", async () => {
  const mail = accepted();
  await mailbox.consume(topics.mailAccepted, [mail]);
  expect(await isProcessed(mail.emailId)).toBe(true);
  expect(await released(mail.emailId)).toEqual([mail.rawId]);
});

test("the timeline says why an email was discarded that others got, and its bytes are released", async () => {
  const mail = accepted({ discarded: "forged" });
  const { emailId, ownerId } = mail;
  await mailbox.consume(topics.mailAccepted, [mail]);
  expect(await released(emailId)).toEqual([mail.rawId]);
  expect((await mailbox.client.timeline({ ownerId, emailId })).slice(1)).toMatchObject([
    { kind: "discarded", target: null, ruleId: null, detail: expect.stringContaining("DMARC") },
  ]);
});

test("the last outcome makes an email processed, and releases its bytes", async () => {
  const mail = accepted({ targets });
  const { emailId, ownerId } = mail;
  await mailbox.consume(topics.mailAccepted, [mail]);
  await mailbox.consume(topics.deliveryDeferred, [deferred(emailId, { deferredAt: at(1), reason: "unknown" })]);
  await mailbox.consume(topics.deliverySettled, [settled(emailId, { settledAt: at(2), attemptCount: 2 })]);
  expect([await isProcessed(emailId), await released(emailId)]).toEqual([false, []]);
  const givenUp = settled(emailId, {
    ...secondTarget,
    outcome: Outcome.GIVEN_UP,
    response: "550 No\0",
    reason: "mailbox-disabled",
    settledAt: at(3),
  });
  await mailbox.consume(topics.deliverySettled, [givenUp]);
  expect([await isProcessed(emailId), await released(emailId)]).toEqual([true, [mail.rawId]]);
  expect((await mailbox.client.timeline({ ownerId, emailId })).slice(1)).toEqual([
    {
      at: "2026-01-05T10:00:01.000Z",
      kind: "deferred",
      target: "ann@example.org",
      detail: "451 4.7.1 Greylisted",
      ruleId: null,
    },
    {
      at: "2026-01-05T10:00:02.000Z",
      kind: "forwarded",
      target: "ann@example.org",
      detail: "250 2.0.0 Ok",
      ruleId: null,
    },
    {
      at: "2026-01-05T10:00:03.000Z",
      kind: "given_up",
      target: "bob@example.org",
      detail: "mailbox disabled: 550 No\uFFFD",
      ruleId: null,
    },
  ]);
});

test("a retry after the end adds to the timeline and takes nothing back", async () => {
  const mail = accepted({ targets: targets.slice(0, 1) });
  const { emailId, ownerId } = mail;
  await mailbox.consume(topics.mailAccepted, [mail]);
  await mailbox.consume(topics.deliverySettled, [
    settled(emailId, { outcome: Outcome.GIVEN_UP, attemptCount: 9, settledAt: at(1) }),
  ]);
  await mailbox.consume(topics.deliverySettled, [settled(emailId, { attemptCount: 10, settledAt: at(2) })]);
  expect((await mailbox.client.timeline({ ownerId, emailId })).map(({ kind }) => kind)).toEqual([
    "accepted",
    "given_up",
    "forwarded",
  ]);
  expect([await isProcessed(emailId), await released(emailId)]).toEqual([true, [mail.rawId]]);
});

test("what is called back is kept for the callback alone", async () => {
  const mail = await receive(mailbox, "Subject: hook\r\n\r\nbody", { isBrowsable: false, callbackUrl });
  const { emailId, bindingId, ownerId } = mail;
  mailbox.peers.browsable.set(bindingId, true);
  expect(await mailbox.client.callbackContent({ emailId })).toMatchObject({
    payload: { Subject: "hook", "body-plain": "body" },
    attachments: [],
    recipient: "shop@postern.localhost",
  });
  expect(await mailbox.client.list({ ownerId, bindingId })).toMatchObject({ emails: [], totalCount: 0 });
  await mailbox.expire();
  const calledBack = { channel: Channel.CALLBACK, targetId: bindingId, target: callbackUrl, response: "200 OK" };
  expect(await released(emailId)).toEqual([]);
  await mailbox.consume(topics.deliverySettled, [settled(emailId, calledBack)]);
  expect(await released(emailId)).toEqual([mail.rawId]);
  await mailbox.expire();
  await expect(mailbox.client.callbackContent({ emailId })).rejects.toMatchObject({ kind: "NotFound" });
  expect((await mailbox.client.timeline({ ownerId, emailId })).map(({ kind }) => kind)).toEqual([
    "accepted",
    "stored",
    "called_back",
  ]);
});

test("attachments of a callback stay as long as the links it carried", async () => {
  const raw = "Content-Type: application/pdf\r\n\r\npdf";
  const { emailId, bindingId } = await receive(mailbox, raw, { isBrowsable: false, callbackUrl });
  await mailbox.consume(topics.deliverySettled, [
    settled(emailId, { channel: Channel.CALLBACK, targetId: bindingId, target: callbackUrl }),
  ]);
  await mailbox.expire();
  expect((await mailbox.client.callbackContent({ emailId })).attachments).toHaveLength(1);
  await mailbox.expire(30, 0);
  await expect(mailbox.client.callbackContent({ emailId })).rejects.toMatchObject({ kind: "NotFound" });
});

test("an event without a channel or outcome is a fault, and changes nothing", async () => {
  const emailId = newId();
  await expect(
    mailbox.consume(topics.deliverySettled, [settled(emailId, { outcome: Outcome.UNSPECIFIED })]),
  ).rejects.toThrow("without an outcome");
  await expect(
    mailbox.consume(topics.deliveryDeferred, [deferred(emailId, { channel: Channel.UNSPECIFIED })]),
  ).rejects.toThrow("no channel");
  expect(await isProcessed(emailId)).toBeUndefined();
});

test("events in any order, in any batches and any number of times come to the same end", async () => {
  const perEmail = (emailId: string, bindingId: string) => [
    { topic: topics.deliveryDeferred, message: deferred(emailId, { deferredAt: at(1) }) },
    { topic: topics.deliverySettled, message: settled(emailId, { settledAt: at(2), attemptCount: 2 }) },
    {
      topic: topics.deliverySettled,
      message: settled(emailId, { ...secondTarget, outcome: Outcome.GIVEN_UP, settledAt: at(3) }),
    },
    {
      topic: topics.deliverySettled,
      message: settled(emailId, {
        channel: Channel.CALLBACK,
        targetId: bindingId,
        target: callbackUrl,
        settledAt: at(4),
      }),
    },
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 4 }), { minLength: 0, maxLength: 8 }),
      fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
      async (repeats, order) => {
        const mail = accepted({ targets, callbackUrl });
        mailbox.peers.raw.set(mail.rawId, Buffer.from("Subject: s\r\n\r\n"));
        const events = [{ topic: topics.mailAccepted, message: mail }, ...perEmail(mail.emailId, mail.bindingId)];
        for (const index of [...order, ...repeats]) {
          const event = events[index];
          if (event)
            await mailbox.consume(event.topic as typeof topics.mailAccepted, [event.message, event.message] as never);
        }
        await mailbox.read();
        const { emailId, ownerId } = mail;
        const timeline = await mailbox.client.timeline({ ownerId, emailId });
        expect(timeline.map(({ kind }) => kind)).toEqual([
          "accepted",
          "deferred",
          "forwarded",
          "given_up",
          "called_back",
          "stored",
        ]);
        expect([await isProcessed(emailId), await released(emailId)]).toEqual([true, [mail.rawId]]);
      },
    ),
    { numRuns: 40 },
  );
});

test("two outcomes at the same time see each other", async () => {
  const mails = Array.from({ length: 20 }, () => accepted({ targets }));
  await Promise.all([
    mailbox.consume(topics.mailAccepted, mails),
    mailbox.consume(
      topics.deliverySettled,
      mails.map(({ emailId }) => settled(emailId)),
    ),
    mailbox.consume(topics.deliverySettled, mails.map(({ emailId }) => settled(emailId, secondTarget)).reverse()),
  ]);
  for (const { emailId, rawId } of mails)
    expect([await isProcessed(emailId), await released(emailId)]).toEqual([true, [rawId]]);
});

test("a bounce follows what was delivered, and counts for nothing more", async () => {
  const mail = accepted({ targets });
  const { emailId, ownerId } = mail;
  await mailbox.consume(topics.mailAccepted, [mail]);
  await mailbox.consume(topics.deliverySettled, [
    settled(emailId, { settledAt: at(1) }),
    settled(emailId, { outcome: Outcome.BOUNCED, attemptCount: 2, settledAt: at(2), response: "550 gone" }),
  ]);
  expect(await isProcessed(emailId)).toBe(false);
  const timeline = await mailbox.client.timeline({ ownerId, emailId });
  expect(timeline.map(({ kind }) => kind)).toEqual(["accepted", "forwarded", "bounced"]);
});
