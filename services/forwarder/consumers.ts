import { topics } from "../../proto/topics.ts";
import { accountSwitchConsumers } from "../platform/accounts/disabled-accounts.ts";
import { consumer } from "../platform/events/consumer.ts";
import type { Consumer } from "../platform/events/types.ts";
import { removeAccounts } from "./accounts/closed-accounts.ts";
import { recordAnswers } from "./answers/record-answers.ts";
import { recordReturned } from "./bounces/record-returned.ts";
import { recordComplaintMails } from "./complaints/record-complaint.ts";
import type { deliveryWork } from "./deliveries/delivery-work.ts";
import { holdUnverified, releaseEnabled, rememberVerified } from "./deliveries/holding.ts";
import { forwardsOf, insertForwards } from "./deliveries/insert-forwards.ts";
import { insertNotices } from "./notices/insert-notices.ts";
import { forgetDomainsOf, recordDomains } from "./signing/own-domains.ts";

interface Wakeable {
  wake(): void;
}

interface Workers {
  deliveries: ReturnType<typeof deliveryWork>;
  answers: Wakeable;
  bounces: Wakeable;
  complaints: Wakeable;
  /** Releases what is held until an address is verified. */
  releases: Wakeable;
}

/** What forwarder records of others' events, and whom it wakes afterwards. */
export function forwarderConsumers({ deliveries, answers, bounces, complaints, releases }: Workers): Consumer[] {
  const wake = () => deliveries.wake();
  return [
    consumer({
      topic: topics.mailAccepted,
      pace: "prompt",
      handle: async (tx, events) => {
        await deliveries.insert(tx, forwardsOf(events), (forwards) => insertForwards(tx, forwards));
        await holdUnverified(tx, events, () => releases.wake());
      },
    }),
    consumer(topics.answerAccepted, async (tx, events) => {
      await recordAnswers(tx, events);
      tx.afterCommit(() => answers.wake());
    }),
    consumer(topics.addressVerified, async (tx, events) => {
      await rememberVerified(
        tx,
        events.map(({ message }) => message.addressId),
      );
      tx.afterCommit(() => releases.wake());
    }),
    ...accountSwitchConsumers(async (tx, accountIds) => {
      await releaseEnabled(tx, accountIds);
      tx.afterCommit(wake);
    }),
    consumer(topics.noticeRequested, async (tx, events) => {
      await insertNotices(tx, events);
      tx.afterCommit(wake);
    }),
    consumer(topics.mailReturned, async (tx, events) => {
      await recordReturned(
        tx,
        events.map(({ message }) => message),
      );
      tx.afterCommit(() => bounces.wake());
    }),
    consumer(topics.complaintReceived, async (tx, events) => {
      await recordComplaintMails(
        tx,
        events.map(({ message }) => message),
      );
      tx.afterCommit(() => complaints.wake());
    }),
    consumer(topics.accountClosed, async (tx, events) => {
      const accountIds = events.map(({ message }) => message.accountId);
      await removeAccounts(tx, accountIds);
      await forgetDomainsOf(tx, accountIds);
    }),
    consumer(topics.domainChanged, (tx, events) =>
      recordDomains(
        tx,
        events.map(({ message }) => message),
      ),
    ),
  ];
}
