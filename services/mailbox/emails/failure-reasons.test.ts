import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Channel, Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { type ListQuery, listAccountEmails } from "../lists/list-account-emails.ts";
import {
  accepted,
  deferred,
  type MailboxUnderTest,
  secondTarget,
  settled,
  startMailbox,
  targets,
} from "../test-support/mailbox-under-test.ts";
import type { FailureReason } from "./failure-reasons.ts";

let mailbox: MailboxUnderTest;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

test("a list is narrowed down by why deliveries failed: by what the last attempt of each was answered", async () => {
  const [one, two] = [accepted({ targets }), accepted({ targets: targets.slice(0, 1) })];
  two.ownerId = one.ownerId;
  await mailbox.consume(topics.mailAccepted, [one, two]);
  const { ownerId, emailId } = one;
  const listed = async (question: Partial<ListQuery>) =>
    (await listAccountEmails(mailbox.db, { ownerId, first: 20, ...question })).emails;
  const found = async (...failureReasons: FailureReason[]) => (await listed({ failureReasons })).map(({ id }) => id);
  await mailbox.consume(topics.deliveryDeferred, [deferred(emailId, { reason: "mailbox-full" })]);
  expect(await found("mailbox")).toEqual([emailId]);
  await mailbox.consume(topics.deliverySettled, [
    settled(emailId, { outcome: Outcome.GIVEN_UP, attemptCount: 2, reason: "unknown-user" }),
    settled(emailId, { ...secondTarget, outcome: Outcome.GIVEN_UP, channel: Channel.CALLBACK }),
    settled(two.emailId, { outcome: Outcome.BOUNCED, reason: "something-new" }),
  ]);
  expect(await listed({ bindingId: one.bindingId })).toMatchObject([{ failureReasons: ["recipient", "webhook"] }]);
  expect([await found("mailbox"), await found("webhook"), await found("other", "sender")]).toEqual([
    [],
    [emailId],
    [two.emailId],
  ]);
  await mailbox.db.query("update mail_entry set failure_reasons = '{}' where email_id = $1", [emailId]);
  expect((await found("other")).toSorted()).toEqual([emailId, two.emailId].toSorted());
  await mailbox.consume(topics.deliverySettled, [settled(two.emailId, { attemptCount: 2 })]);
  expect(await found("other")).toEqual([emailId]);
});
