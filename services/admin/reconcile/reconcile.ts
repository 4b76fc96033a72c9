import { forwarderContract } from "../../forwarder/contract.ts";
import { ingressContract } from "../../ingress/contract.ts";
import { mailboxContract } from "../../mailbox/contract.ts";
import { dayMs, minuteMs } from "../../platform/durations.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { webhookContract } from "../../webhook/contract.ts";
import { type Command, UsageError } from "../command.ts";
import type { Installation } from "../installation.ts";
import { type BucketDifference, bucketLines, compareBucket } from "./reconcile-bucket.ts";

/**
 * A day less than inboxes remember events for: what is published again under its former id has an effect only where it had none before.
 * What is older could be delivered twice.
 */
const reachDays = 13;
const defaultGraceMinutes = 60;
const pageSize = 500;

/** What stores can disagree about, and what is done about it. */
const faults = {
  withoutEmail: "messages that mailbox does not know: their events are published again",
  withoutDelivery: "emails that are to leave and that forwarder does not know: their events are published again",
  withoutEvent:
    "the same of messages that came under an earlier release, whose events were not kept: nothing can be done",
  notReleased: "messages that nobody needs any more: they are deleted",
  withoutCallback: "stored emails that webhook does not know: mail.stored is published again",
  withoutOutcome: "emails that wait for outcomes that forwarder has: these are published again",
  withoutCallbackOutcome: "emails that wait for the outcome of their callback: it is published again",
} as const;

type Fault = keyof typeof faults;

interface Email {
  emailId: string;
  /** Of one that ingress keeps. */
  rawId: string;
}

interface Services {
  ingress: Client<typeof ingressContract>;
  mailbox: Client<typeof mailboxContract>;
  forwarder: Client<typeof forwarderContract>;
  webhook: Client<typeof webhookContract>;
}

interface Span {
  since: string;
  before: string;
}

export const reconcile: Command = {
  name: "reconcile",
  synopsis: "[--mend] [--grace MINUTES] [--delete-objects DAYS]",
  sentence:
    "Finds what the services and the bucket disagree about, as after one of their stores was restored to an earlier point; with --mend it is mended. What is younger than the grace period (an hour) is left alone. Objects in the bucket that no row knows are deleted by --delete-objects alone, where they are older than so many days (at least 1).",
  options: { mend: { type: "boolean" }, grace: { type: "string" }, "delete-objects": { type: "string" } },
  words: { min: 0, max: 0 },
  async run(installation, { values }) {
    const graceMinutes = values.grace === undefined ? defaultGraceMinutes : Number(values.grace);
    if (!(graceMinutes >= 0)) throw new UsageError("--grace takes a number of minutes");
    const deleteDays = values["delete-objects"] === undefined ? undefined : Number(values["delete-objects"]);
    if (deleteDays !== undefined && !(deleteDays >= 1))
      throw new UsageError("--delete-objects takes a number of days, 1 or more");
    const isMended = values.mend === true;
    const services = await servicesOf(installation);
    const found = new Reconciliation(services, isMended);
    const now = Date.now();
    const before = new Date(now - graceMinutes * minuteMs).toISOString();
    const span = { since: new Date(now - reachDays * dayMs).toISOString(), before };
    await found.compareMessages(span);
    await found.compareOutcomes(span);
    // Last: messages that nobody needs are not missed in the bucket.
    const deleteBefore = deleteDays === undefined ? undefined : new Date(now - deleteDays * dayMs).toISOString();
    return found.report(await compareBucket(services, { before, deleteBefore }));
  },
};

/** One after the other: without a running installation the first starts what the others need. */
async function servicesOf(installation: Installation): Promise<Services> {
  const ingress = await installation.service(ingressContract);
  const mailbox = await installation.service(mailboxContract);
  const forwarder = await installation.service(forwarderContract);
  return { ingress, mailbox, forwarder, webhook: await installation.service(webhookContract) };
}

/** Compares what the services know, a page at a time, and mends it if that is asked for. */
class Reconciliation {
  readonly #services: Services;
  readonly #isMended: boolean;
  readonly #counts = new Map<Fault, number>();

  constructor(services: Services, isMended: boolean) {
    this.#services = services;
    this.#isMended = isMended;
  }

  /** Every message that ingress keeps is to be known to whoever still needs it. */
  async compareMessages(span: Span): Promise<void> {
    const { ingress } = this.#services;
    for (let after: string | null = null; ; ) {
      const page: KeptMessage[] = await ingress.keptMessages({ ...span, after, limit: pageSize });
      await this.#compareKept(page.flatMap(({ rawId, emails }) => emails.map((email) => ({ ...email, rawId }))));
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      after = last.rawId;
    }
  }

  async #compareKept(emails: readonly KeptEmail[]): Promise<void> {
    if (emails.length === 0) return;
    const { ingress, mailbox, forwarder } = this.#services;
    const emailIds = emails.map(({ emailId }) => emailId);
    const progress = new Map((await mailbox.progress({ emailIds })).map((each) => [each.emailId, each]));
    const forwarded = new Set((await forwarder.emailDeliveries({ emailIds })).map(({ emailId }) => emailId));
    const unknown = emails.filter(({ emailId, topic }) => isInMailbox(topic) && !progress.has(emailId));
    const undelivered = emails.filter(
      ({ emailId, topic, forwardCount }) =>
        !forwarded.has(emailId) &&
        (isInMailbox(topic) ? forwardCount > 0 && progress.get(emailId)?.isProcessed === false : true),
    );
    const released = emails.filter(({ emailId }) => progress.get(emailId)?.isReleased === true);
    const lost = [...new Map([...unknown, ...undelivered].map((email) => [email.emailId, email])).values()];
    this.#count("withoutEvent", lost.filter(({ topic }) => topic === null).length);
    this.#count("withoutEmail", unknown.filter(({ topic }) => topic !== null).length);
    this.#count("withoutDelivery", undelivered.filter(({ topic }) => topic !== null).length);
    await this.#mend(
      lost.filter(({ topic }) => topic !== null),
      (some) => ingress.publishAgain({ emails: some.map(idsOf) }),
    );
    // Their outcomes may come before they do, and nobody would ask again.
    await this.#mend(unknown, (some) => this.#publishOutcomes(some));
    this.#count("notReleased", released.length);
    await this.#mend(released, (some) => ingress.release({ emails: some.map(idsOf) }));
  }

  /** What mailbox waits for is to come from whoever is to say it. */
  async compareOutcomes(span: Span): Promise<void> {
    for (let after: string | null = null; ; ) {
      const page: UnprocessedPage = await this.#services.mailbox.unprocessed({ ...span, after, limit: pageSize });
      await this.#compareUnprocessed(page.emails);
      if (page.nextAfter === null) return;
      after = page.nextAfter;
    }
  }

  async #compareUnprocessed(emails: UnprocessedPage["emails"]): Promise<void> {
    if (emails.length === 0) return;
    const { mailbox, forwarder, webhook } = this.#services;
    const emailIds = emails.map(({ emailId }) => emailId);
    const deliveries = new Map((await forwarder.emailDeliveries({ emailIds })).map((each) => [each.emailId, each]));
    const callbacks = new Map((await webhook.emailCallbacks({ emailIds })).map((each) => [each.emailId, each]));
    const unheard = emails.filter(({ emailId, endedTargetIds }) =>
      deliveries.get(emailId)?.settledTargetIds.some((id) => !endedTargetIds.includes(id)),
    );
    const unheardCallbacks = emails.filter(({ emailId, endedTargetIds }) => {
      const callback = callbacks.get(emailId);
      return callback?.isSettled === true && !endedTargetIds.includes(callback.bindingId);
    });
    const uncalled = emails.filter(({ emailId, needsCallback }) => needsCallback && !callbacks.has(emailId));
    this.#count("withoutOutcome", unheard.length);
    await this.#mend(unheard, (some) => forwarder.publishOutcomes({ emailIds: some.map(({ emailId }) => emailId) }));
    this.#count("withoutCallbackOutcome", unheardCallbacks.length);
    await this.#mend(unheardCallbacks, (some) =>
      webhook.publishOutcomes({ emailIds: some.map(({ emailId }) => emailId) }),
    );
    this.#count("withoutCallback", uncalled.length);
    await this.#mend(uncalled, (some) => mailbox.publishStored({ emailIds: some.map(({ emailId }) => emailId) }));
  }

  async #publishOutcomes(emails: readonly Email[]): Promise<void> {
    const emailIds = emails.map(({ emailId }) => emailId);
    await this.#services.forwarder.publishOutcomes({ emailIds });
    await this.#services.webhook.publishOutcomes({ emailIds });
  }

  report(bucket: BucketDifference) {
    const counts = Object.fromEntries(
      Object.keys(faults).map((fault) => [fault, this.#counts.get(fault as Fault) ?? 0]),
    );
    const lines = [...this.#counts].map(([fault, count]) => `${count} ${faults[fault]}`);
    const isMended = this.#isMended && lines.length > 0;
    const { lost, stray, deleted, outage } = bucket;
    const leftOfBucket = lost.length + stray.count - deleted.count;
    const left = leftOfBucket + (this.#isMended ? (this.#counts.get("withoutEvent") ?? 0) : lines.length);
    if (lines.length > 0)
      lines.push(isMended ? "This was done." : "Nothing of this was changed: --mend does what is said here.");
    lines.push(...bucketLines(bucket));
    if (lines.length === 0) lines.push("The services agree.");
    const found = { ...counts, withoutObject: lost.length, strayObjects: stray.count - deleted.count };
    return {
      json: { isMended, found, lost, deletedObjects: deleted.count, ...(outage === undefined ? {} : { outage }) },
      lines,
      isGood: left === 0 && outage === undefined,
    };
  }

  #count(fault: Fault, count: number): void {
    if (count > 0) this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + count);
  }

  async #mend<T>(found: readonly T[], mend: (some: readonly T[]) => Promise<unknown>): Promise<void> {
    if (this.#isMended && found.length > 0) await mend(found);
  }
}

type KeptMessage = Awaited<ReturnType<Services["ingress"]["keptMessages"]>>[number];
type KeptEmail = KeptMessage["emails"][number] & Email;
type UnprocessedPage = Awaited<ReturnType<Services["mailbox"]["unprocessed"]>>;

/** Bounces and complaints are forwarder's alone; an answer and mail that an owner composed are in mailbox too. */
function isInMailbox(topic: string | null): boolean {
  return topic !== "mail.returned" && topic !== "complaint.received";
}

function idsOf({ emailId, rawId }: Email): Email {
  return { emailId, rawId };
}
