import type { bindingsContract } from "../bindings/contract.ts";
import type { ingressContract } from "../ingress/contract.ts";
import type { Database } from "../platform/db/types.ts";
import { Refusal } from "../platform/errors.ts";
import { isId } from "../platform/ids.ts";
import type { Client, Implementation, StreamClient, StreamImplementation } from "../platform/rpc/contract.ts";
import { pushEvents } from "./account-events/push-events.ts";
import { readEvents } from "./account-events/read-events.ts";
import type { ArrivalFeed } from "./browsing/arrival-feed.ts";
import { type AttachmentLinks, locateAttachment } from "./browsing/attachments.ts";
import { asStream, asStreamWithSize, asValue, type EmailDetailsReader } from "./browsing/email-details.ts";
import { listBindingEmails } from "./browsing/list-binding-emails.ts";
import type { mailboxContract } from "./contract.ts";
import { removeEmail } from "./deletion/remove-email.ts";
import { lostAttachments, progressOf, publishStoredAgain, unprocessedEmails } from "./emails/reconciliation.ts";
import type { ContentStores } from "./emails/storage-quota.ts";
import { timelineOf } from "./emails/timeline.ts";
import { listEmailsWithTimelines } from "./lists/emails-with-timelines.ts";
import { takeEmail } from "./waiting/take-email.ts";

interface ProcedureDependencies {
  readonly db: Database;
  readonly stores: ContentStores;
  readonly bindings: Client<typeof bindingsContract>;
  readonly ingress: StreamClient<typeof ingressContract>;
  readonly links: AttachmentLinks;
  readonly arrivals: ArrivalFeed;
  readonly details: EmailDetailsReader;
}

/** Implements the contract. */
export function mailboxProcedures({ db, stores, bindings, ingress, links, arrivals, details }: ProcedureDependencies) {
  const callbackContent = ({ emailId, linksExpireAt }: { emailId: string; linksExpireAt?: string | undefined }) =>
    details.callbackContent(emailId, linksExpireAt === undefined ? undefined : new Date(linksExpireAt));
  const procedures: Implementation<typeof mailboxContract> = {
    list: (query) => listBindingEmails(db, bindings, query),
    accountEmails: (question) => listEmailsWithTimelines(db, bindings, question),
    details: async ({ ownerId, emailId }) => asValue(await details.details(ownerId, emailId)),
    timeline: ({ ownerId, emailId }) => timelineOf(db, ownerId, emailId),
    remove: async ({ ownerId, emailId }) => {
      await removeEmail(db, stores, ownerId, emailId);
      return {};
    },
    progress: ({ emailIds }) => progressOf(db, emailIds),
    unprocessed: (page) => unprocessedEmails(db, page),
    publishStored: async ({ emailIds }) => ({ count: await publishStoredAgain(db, emailIds) }),
    lostBlobs: (page) => lostAttachments(db, stores.blobs, page),
    strayObjects: ({ before, ...page }) => stores.blobs.strayObjects({ ...page, before: new Date(before) }),
    takeEmail: async (question) => ({ emailId: (await takeEmail(db, question)) ?? null }),
    excerpts: ({ ownerId, emailId }) => details.excerpts(ownerId, emailId),
    callbackContent: async (query) => asValue(await callbackContent(query)),
    events: (question) => readEvents(db, question),
    pushEvents: async ({ ownerId, isPushed }) => {
      await pushEvents(db, ownerId, isPushed);
      return {};
    },
    storage: ({ ownerId }) => stores.storage.usageOf(db, ownerId),
    attachment: (link) => locateAttachment(db, links, link),
  };
  const streams: StreamImplementation<typeof mailboxContract> = {
    details: async ({ ownerId, emailId }) => asStream(await details.details(ownerId, emailId)),
    callbackContent: async (query) => asStreamWithSize(await callbackContent(query)),
    attachmentBytes: ({ blobId }) => {
      if (!isId(blobId)) throw new Refusal("NotFound", { public: "There is no such attachment any more." });
      return stores.blobs.open(blobId);
    },
    arrivals: ({ ownerId }) => arrivals.subscribe(ownerId),
    rawSource: async ({ ownerId, emailId }) =>
      ingress.rawMessage({ rawId: await details.browsableRawId(ownerId, emailId) }),
  };
  return { procedures, streams };
}
