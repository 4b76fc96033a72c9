import { bindingsContract } from "../bindings/contract.ts";
import { ingressContract } from "../ingress/contract.ts";
import { defineService } from "../platform/service.ts";
import { Arrivals } from "./browsing/arrival-feed.ts";
import { AttachmentLinks } from "./browsing/attachments.ts";
import { mailboxConfig } from "./config.ts";
import { mailboxContract } from "./contract.ts";
import { eraseAccounts, eraseBindings, erasing } from "./deletion/erasure.ts";
import { retention } from "./deletion/retention.ts";
import { recordAccepted } from "./emails/record-accepted.ts";
import { recordDeferred, recordSettled } from "./emails/record-outcomes.ts";
import { parsing } from "./parsing/parse-work.ts";
import { mailboxSubgraph } from "./resolvers.ts";
import { answerMailbox } from "./router.ts";

/** Keeps a record of every email, and the content of those that are browsed or called back. */
export const mailbox = defineService({
  name: "mailbox",
  config: mailboxConfig,
  needs: { ingress: ingressContract, bindings: bindingsContract },
  contract: mailboxContract,
  migrations: new URL("./migrations/", import.meta.url),
  build({ db, blobs, config, settings, secrets, rpc, streams, logger, metrics }) {
    const links = new AttachmentLinks(secrets, settings.PUBLIC_URL, config.ATTACHMENT_LINK_HOURS);
    const arrivals = new Arrivals(db, logger);
    const reader = parsing({
      arrivals,
      db,
      blobs,
      ingress: streams.ingress,
      logger,
      metrics,
      leaseS: config.MAILBOX_LEASE_S,
    });
    const eraser = erasing(db, blobs, logger);
    const keeping = { retentionDays: config.RETENTION_DAYS, linkHours: config.ATTACHMENT_LINK_HOURS };
    const answering = answerMailbox({ db, blobs, bindings: rpc.bindings, ingress: streams.ingress, links, arrivals });
    const { PUBLIC_URL: publicUrl } = settings;
    return {
      ...answering,
      subgraph: mailboxSubgraph({ db, bindings: rpc.bindings, links, router: answering.router, publicUrl }),
      consumes: [
        recordAccepted(() => reader.wake()),
        recordSettled,
        recordDeferred,
        eraseBindings(() => eraser.wake()),
        eraseAccounts(() => eraser.wake()),
      ],
      endStreams: () => arrivals.end(),
      stop: () => arrivals.stop(),
      works: [reader, eraser, retention(db, blobs, keeping, logger)],
    };
  },
});
