import { authContract } from "../auth/contract.ts";
import { bindingsContract } from "../bindings/contract.ts";
import { ingressContract } from "../ingress/contract.ts";
import { MailWaiters } from "../platform/concurrency/mail-waiters.ts";
import { defineService } from "../platform/service.ts";
import { recordMadeAddresses } from "./account-events/add-events.ts";
import { deleteAccountEventsTask } from "./account-events/delete-events.ts";
import { ArrivalFeed } from "./browsing/arrival-feed.ts";
import { AttachmentLinks } from "./browsing/attachments.ts";
import { EmailDetailsReader } from "./browsing/email-details.ts";
import { StoredContents } from "./browsing/stored-contents.ts";
import { mailboxConfig } from "./config.ts";
import { mailboxContract } from "./contract.ts";
import { eraseAccounts, eraseBindings, erasureWork } from "./deletion/erasure.ts";
import { retentionWork } from "./deletion/retention.ts";
import { recordAcceptedAndSettled } from "./emails/record-accepted-and-settled.ts";
import { recordAnswers } from "./emails/record-answers.ts";
import { recordComplained, recordDeferred } from "./emails/record-outcomes.ts";
import { storageBackfill } from "./emails/storage-backfill.ts";
import { StorageQuota } from "./emails/storage-quota.ts";
import { contentLimits } from "./limits.ts";
import { listBackfill } from "./lists/list-backfill.ts";
import { MessageParser } from "./parsing/message-parser.ts";
import { parseWork } from "./parsing/parse-work.ts";
import { ContentRenderer } from "./payload/content-renderer.ts";
import { mailboxProcedures } from "./procedures.ts";
import { contentWorkerPool } from "./workers/content-worker-pool.ts";

/** Each may go through thousands of emails. */
const dryRunLimit = { points: 300, windowS: 3_600 };

/** Records every email, and stores the content of those that are browsable or have a callback. */
export const mailbox = defineService({
  name: "mailbox",
  config: mailboxConfig,
  needs: { ingress: ingressContract, bindings: bindingsContract, auth: authContract },
  contract: mailboxContract,
  migrations: new URL("./migrations/", import.meta.url),
  keepsBlobs: true,
  build({ db, blobs, config, settings, secrets, rpc, streams, limits: rateLimits, logger, metrics }) {
    const limits = contentLimits(config.PAYLOAD_LIMIT_MB);
    const workers = contentWorkerPool(limits);
    const stores = { blobs, storage: new StorageQuota(config.QUOTA_STORAGE_MB) };
    const links = new AttachmentLinks(secrets, settings.PUBLIC_URL, config.ATTACHMENT_LINK_HOURS);
    const arrivals = new ArrivalFeed(db, logger);
    const mailWaiters = new MailWaiters({ arrivals: ({ ownerId }) => arrivals.subscribe(ownerId) }, rateLimits, logger);
    const parser = new MessageParser({ db, blobs, ingress: streams.ingress, workers, limits, logger, metrics });
    const parsing = Object.values(
      parseWork({ db, stores, parser, arrivals, logger, metrics, visibilityTimeoutS: config.MAILBOX_LEASE_S }),
    );
    const wakeParsing = () => {
      for (const work of parsing) work.wake();
    };
    const erasure = erasureWork({ db, stores, logger, metrics });
    const retention = { retentionDays: config.RETENTION_DAYS, linkHours: config.ATTACHMENT_LINK_HOURS };
    const contents = new StoredContents(db, limits);
    const renderer = new ContentRenderer(workers, limits);
    const { bindings, auth } = rpc;
    const details = new EmailDetailsReader({ db, bindings, links, renderer, contents });
    const implementation = mailboxProcedures({
      db,
      stores,
      bindings,
      ingress: streams.ingress,
      links,
      arrivals,
      details,
    });
    const { procedures } = implementation;
    const { PUBLIC_URL: publicUrl } = settings;
    return {
      ...implementation,
      subgraph: async () => {
        const { mailboxSubgraph } = await import("./graph/resolvers.ts");
        return mailboxSubgraph({
          db,
          auth,
          bindings,
          links,
          procedures,
          publicUrl,
          mailWaiters,
          contents,
          renderer,
          limits,
          dryRuns: rateLimits.limit({ name: "rule:dry-run", ...dryRunLimit }),
        });
      },
      consumers: [
        ...recordAcceptedAndSettled(wakeParsing),
        recordAnswers(wakeParsing),
        recordDeferred,
        recordComplained,
        recordMadeAddresses,
        eraseBindings(() => erasure.wake()),
        eraseAccounts(() => erasure.wake()),
      ],
      endStreams: () => {
        mailWaiters.end();
        arrivals.endStreams();
      },
      stop: async () => {
        await arrivals.stop();
        await workers.close();
      },
      tasks: [
        ...parsing,
        erasure,
        retentionWork(db, stores, retention, logger),
        storageBackfill(db, stores.storage, logger),
        listBackfill(db, logger),
        deleteAccountEventsTask(db, logger),
      ],
    };
  },
});
