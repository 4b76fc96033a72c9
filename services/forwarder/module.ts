import { topics } from "../../proto/topics.ts";
import { authContract } from "../auth/contract.ts";
import { bindingsContract } from "../bindings/contract.ts";
import { ingressContract } from "../ingress/contract.ts";
import { consumer } from "../platform/events/consumer.ts";
import { newId } from "../platform/ids.ts";
import { PollingWork } from "../platform/runtime/polling-work.ts";
import { Sealer } from "../platform/security/sealing.ts";
import { defineService } from "../platform/service.ts";
import { BounceWork } from "./bounces/bounce-work.ts";
import { ReversePaths } from "./bounces/reverse-path.ts";
import { scheduleReturned } from "./bounces/schedule-returned.ts";
import { forwarderConfig } from "./config.ts";
import { forwarderContract } from "./contract.ts";
import { type Delivery, deliveryTable } from "./deliveries/delivery.ts";
import { deliveryWork } from "./deliveries/delivery-work.ts";
import { forgetLate, forgetOwners, pruneSettled } from "./deliveries/forget.ts";
import type { Ending } from "./deliveries/record-attempts.ts";
import { forwardsOf, insertForwards } from "./deliveries/schedule-forwards.ts";
import { bounceCounter, endingCounter, observeQueue } from "./metrics.ts";
import { scheduleNotices } from "./notices/schedule-notices.ts";
import { ForwardedMessages } from "./outbound/forwarded-messages.ts";
import { Parcels } from "./outbound/outbound-message-builder.ts";
import { AuthorReports } from "./reports/author-reports.ts";
import { cleanDiagnostic } from "./reports/clean-diagnostic.ts";
import { OriginalSeals } from "./reports/original-seals.ts";
import { forwarderSubgraph } from "./resolvers.ts";
import { forwarderRouter } from "./router.ts";
import { SigningKeys } from "./signing/keys.ts";
import { Signer } from "./signing/signer.ts";
import { forgetFailures } from "./suspension/count-failures.ts";
import { suspending } from "./suspension/suspension-work.ts";
import { createTransport } from "./transports/outbound.ts";

const hourMs = 3_600_000;

/**
 * Sends mail, and alone does: what is forwarded, and the service's own. A binding that is removed stops no delivery: its
 * sender was told 250, and that is a promise (RFC 5321 section 6.1).
 */
export const forwarder = defineService({
  name: "forwarder",
  config: forwarderConfig,
  needs: { ingress: ingressContract, bindings: bindingsContract, auth: authContract },
  contract: forwarderContract,
  migrations: new URL("./migrations/", import.meta.url),
  build({ db, config, settings, secrets, rpc, streams, limits, logger, metrics }) {
    const serviceDomain = settings.SERVICE_DOMAIN;
    const keys = new SigningKeys(db, new Sealer(secrets, "signing keys"), config.DKIM_RETIRED_DAYS);
    const signer = new Signer({ keys, mode: config.FORWARD_SIGN, domain: serviceDomain });
    const reversePaths = new ReversePaths(secrets, serviceDomain);
    const transport = createTransport({
      outbound: config.OUTBOUND,
      dataDir: settings.DATA_DIR,
      serviceDomain,
      maxSessions: config.FORWARD_SESSIONS,
      mxPort: config.MX_PORT,
      dnsServers: config.DNS_SERVERS,
      isDaneOn: config.MX_DANE,
    });
    const count = endingCounter(metrics);
    const seals = new OriginalSeals(secrets);
    const reports = new AuthorReports({
      serviceName: settings.SERVICE_NAME,
      serviceDomain,
      limits,
      secrets,
      metrics,
    });
    const deliveries = deliveryWork({
      db,
      table: deliveryTable(config.FORWARD_CONCURRENCY, transport.perDomain, config.FORWARD_LEASE_S),
      parcels: new Parcels({
        db,
        messages: new ForwardedMessages({ ingress: streams.ingress, signer, serviceDomain }),
        signer,
        reversePaths,
        serviceName: settings.SERVICE_NAME,
        serviceDomain,
      }),
      transport,
      reports,
      seals,
      workerId: newId(),
      scheduleS: config.FORWARD_RETRY_S,
      logger,
      onEnding(delivery, ending) {
        count(delivery, ending);
        // Of a forward its owner learns by the events; of a notice nobody would.
        if (delivery.noticeId !== null && ending.state === "given_up")
          logger.warn({ notice: delivery.noticeId, response: discreet(delivery, ending) }, "a notice was given up");
      },
    });
    const wake = () => deliveries.wake();
    const bounces = new BounceWork({
      db,
      ingress: streams.ingress,
      reversePaths,
      reports,
      seals,
      logger,
      onBounce: bounceCounter(metrics),
      wake,
    });
    observeQueue(metrics, db, () => deliveries.inHandCount, transport);
    const router = forwarderRouter({
      db,
      reversePaths,
      keys,
      mail: {
        domain: serviceDomain,
        hosts: config.MAIL_HOSTS.length > 0 ? config.MAIL_HOSTS : [serviceDomain],
        senders: config.SPF_SENDERS,
      },
      wake,
    });
    return {
      start: () => keys.start(),
      stop: () => transport.close(),
      router,
      subgraph: forwarderSubgraph(router),
      consumes: [
        consumer(topics.mailAccepted, (tx, events) =>
          deliveries.insert(tx, forwardsOf(events), (rows) => insertForwards(tx, rows)),
        ),
        consumer(topics.noticeRequested, async (tx, events) => {
          await scheduleNotices(tx, events);
          tx.afterCommit(wake);
        }),
        consumer(topics.mailReturned, async (tx, events) => {
          await scheduleReturned(
            tx,
            events.map(({ message }) => message),
          );
          tx.afterCommit(() => bounces.wake());
        }),
        consumer(topics.accountClosed, (tx, events) =>
          forgetOwners(
            tx,
            events.map(({ message }) => message.accountId),
          ),
        ),
      ],
      works: [
        deliveries,
        bounces,
        suspending({ db, bindings: rpc.bindings, auth: rpc.auth, serviceName: settings.SERVICE_NAME, logger }),
        keys.work(logger),
        new PollingWork({ name: "closed accounts", intervalMs: hourMs / 6, logger, run: () => forgetLate(db) }),
        new PollingWork({
          name: "settled deliveries",
          intervalMs: hourMs,
          logger,
          async run() {
            await db.tx((tx) => forgetFailures(tx, config.FORWARD_KEEP_DAYS));
            return pruneSettled(db, config.FORWARD_KEEP_DAYS);
          },
        }),
      ],
    };
  },
});

/** The last answer, without a word of whom it was about: logs are read by others. */
function discreet({ address: realAddress }: Delivery, { attempt }: Ending): string {
  return cleanDiagnostic(attempt?.response ?? "", { realAddress, proxyAddress: "[recipient]" });
}
