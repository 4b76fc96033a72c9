import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { listAccountEmails } from "../lists/list-account-emails.ts";
import { accepted, type MailboxUnderTest, settled, startMailbox, targets } from "../test-support/mailbox-under-test.ts";

let mailbox: MailboxUnderTest;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

test("targets that do not get it are on the timeline, each with its reason, and count as no outcome", async () => {
  const skippedTargets = ["unverified", "switched-off", "suspended", "of-a-later-release"].map((reason) => ({
    addressId: newId(),
    address: `${reason}@example.org`,
    reason,
  }));
  const mail = accepted({ targets: targets.slice(0, 1), skippedTargets });
  const { emailId, ownerId } = mail;
  await mailbox.consume(topics.mailAccepted, [mail]);
  await mailbox.consume(topics.deliverySettled, [settled(emailId)]);
  const { emails } = await listAccountEmails(mailbox.db, { ownerId, first: 20 });
  const counts = { expectedOutcomes: 1, deliveredCount: 1, failedCount: 0, heldCount: 0, isProcessed: true };
  expect(emails).toMatchObject([counts]);
  const timeline = await mailbox.client.timeline({ ownerId, emailId });
  expect(timeline.map(({ kind, target }) => [kind, target]).sort()).toEqual([
    ["accepted", null],
    ["forwarded", targets[0]?.address],
    ["skipped_suspended", "suspended@example.org"],
    ["skipped_switched_off", "switched-off@example.org"],
    ["skipped_unverified", "unverified@example.org"],
  ]);
});
