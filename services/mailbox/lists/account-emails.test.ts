import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { accepted, type MailboxUnderTest, receive, startMailbox } from "../test-support/mailbox-under-test.ts";

let mailbox: MailboxUnderTest;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

test("an account's emails come in pages, whether or not they are kept, with their timelines", async () => {
  const ownerId = newId();
  const raw = "Subject: Kept\r\n\r\nHello\r\n";
  const [kept, closed] = [await receive(mailbox, raw, { ownerId }), await receive(mailbox, raw, { ownerId })];
  mailbox.peers.browsable.set(closed.bindingId, false);
  const forwarded = accepted({ ownerId });
  await mailbox.consume(topics.mailAccepted, [forwarded, accepted()]);
  const whole = await mailbox.client.accountEmails({ ownerId, first: 100 });
  const envelope = { sender: "sender@example.com", recipient: "shop@postern.localhost", direction: "FORWARD" };
  expect(whole).toMatchObject({
    emails: [
      { id: forwarded.emailId, bindingId: forwarded.bindingId, ...envelope, subject: null, isKept: false },
      { id: closed.emailId, ...envelope, subject: null, isKept: false },
      { id: kept.emailId, ...envelope, subject: "Kept", isKept: true },
    ],
    nextCursor: null,
  });
  expect(whole.emails.map(({ timeline }) => timeline[0]?.kind)).toEqual(Array(3).fill("accepted"));
  const page = await mailbox.client.accountEmails({ ownerId, first: 2 });
  const rest = await mailbox.client.accountEmails({ ownerId, first: 2, after: page.nextCursor ?? undefined });
  expect([...page.emails, ...rest.emails]).toEqual(whole.emails);
});
