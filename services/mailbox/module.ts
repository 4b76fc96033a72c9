import { bindingsContract } from "../bindings/contract.ts";
import { ingressContract } from "../ingress/contract.ts";
import { defineService } from "../platform/service.ts";
import { ArrivalFeed } from "./browsing/arrival-feed.ts";
import { AttachmentLinks } from "./browsing/attachments.ts";
import { mailboxConfig } from "./config.ts";
import { mailboxContract } from "./contract.ts";
import { eraseAccounts, eraseBindings, erasureWork } from "./deletion/erasure.ts";
import { retentionWork } from "./deletion/retention.ts";
import { recordAccepted } from "./emails/record-accepted.ts";
import { recordDeferred, recordSettled } from "./emails/record-outcomes.ts";
import { parseWork } from "./parsing/parse-work.ts";
import { mailboxProcedures } from "./procedures.ts";
import { mailboxSubgraph } from "./resolvers.ts";

/** Records every email, and stores the content of those that are browsable or have a callback. */
export const mailbox = defineService({
  name: "mailbox",
  config: mailboxConfig,
  needs: { ingress: ingressContract, bindings: bindingsContract },
  contract: mailboxContract,
  migrations: new URL("./migrations/", import.meta.url),
  build({ db, blobs, config, settings, secrets, rpc, streams, logger, metrics }) {
    const links = new AttachmentLinks(secrets, settings.PUBLIC_URL, config.ATTACHMENT_LINK_HOURS);
    const arrivals = new ArrivalFeed(db, logger);
    const parser = parseWork({
      arrivals,
      db,
      blobs,
      ingress: streams.ingress,
      logger,
      metrics,
      leaseS: config.MAILBOX_LEASE_S,
    });
    const erasure = erasureWork(db, blobs, logger);
    const retention = { retentionDays: config.RETENTION_DAYS, linkHours: config.ATTACHMENT_LINK_HOURS };
    const { procedures, streams: answeredStreams } = mailboxProcedures({
      db,
      blobs,
      bindings: rpc.bindings,
      ingress: streams.ingress,
      links,
      arrivals,
    });
    const { PUBLIC_URL: publicUrl } = settings;
    return {
      procedures,
      streams: answeredStreams,
      subgraph: mailboxSubgraph({ db, bindings: rpc.bindings, links, procedures, publicUrl }),
      consumers: [
        recordAccepted(() => parser.wake()),
        recordSettled,
        recordDeferred,
        eraseBindings(() => erasure.wake()),
        eraseAccounts(() => erasure.wake()),
      ],
      endStreams: () => arrivals.endStreams(),
      stop: () => arrivals.stop(),
      tasks: [parser, erasure, retentionWork(db, blobs, retention, logger)],
    };
  },
});
