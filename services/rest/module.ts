import { MailWaiters } from "../platform/concurrency/mail-waiters.ts";
import { defineStatelessService } from "../platform/service.ts";
import { restConfig } from "./config.ts";
import { restContract } from "./contract.ts";
import { documentationRoutes } from "./documentation/pages.ts";
import { endpoints } from "./endpoints.ts";
import { restApplication } from "./http/application.ts";
import { longBodies } from "./http/body.ts";
import { accountRoutes } from "./link-pages/account-links.ts";
import { heldAnswerRoutes } from "./link-pages/held-answer-links.ts";
import { verificationRoutes } from "./link-pages/real-address-links.ts";
import { restNeeds } from "./services.ts";

/** Addresses that one API key may make within an hour through the APIs of other services. */
const addressesPerHour = 60;

/** The REST API: /api/v1 exactly as its contract, /api/postern/v1, what password managers ask for, /docs, and the pages behind links in mail. */
export const rest = defineStatelessService({
  name: "rest",
  config: restConfig,
  needs: restNeeds,
  contract: restContract,
  build({ rpc, streams, settings, limits, logger }) {
    const mailWaiters = new MailWaiters(streams.mailbox, limits, logger);
    const services = {
      ...rpc,
      mailboxStreams: streams.mailbox,
      publicUrl: settings.PUBLIC_URL,
      serviceDomain: settings.SERVICE_DOMAIN,
      mailWaiters,
      longBodyLimit: limits.limit({ name: "long-bodies", ...longBodies }),
      addressCreationLimit: limits.limit({ name: "manager-address", points: addressesPerHour, windowS: 3_600 }),
    };
    const pages = [
      documentationRoutes(endpoints, settings.PUBLIC_URL),
      verificationRoutes(rpc.bindings, logger),
      heldAnswerRoutes(rpc.forwarder, logger),
      accountRoutes(rpc.auth, settings.PUBLIC_URL, logger),
    ];
    return { http: restApplication({ endpoints, pages, services, logger }), endStreams: () => mailWaiters.end() };
  },
});
