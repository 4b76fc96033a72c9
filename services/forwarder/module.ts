import { authContract } from "../auth/contract.ts";
import { bindingsContract } from "../bindings/contract.ts";
import { ingressContract } from "../ingress/contract.ts";
import { ReversePaths } from "../message/address/reverse-path.ts";
import { SealedMessageIds } from "../message/header/sealed-message-id.ts";
import { hourMs, minuteMs } from "../platform/durations.ts";
import { newId } from "../platform/ids.ts";
import { mailHosts } from "../platform/net/config.ts";
import { PollingTask } from "../platform/runtime/polling-task.ts";
import { Sealer } from "../platform/security/sealing.ts";
import { defineService } from "../platform/service.ts";
import { removeLateArrivals } from "./accounts/closed-accounts.ts";
import { answerWork } from "./answers/answer-work.ts";
import { IncomingRewriter } from "./answers/incoming/incoming-rewriter.ts";
import { NamedRealAddresses } from "./answers/incoming/named-real-addresses.ts";
import { OutgoingAnswers } from "./answers/outgoing/outgoing-answers.ts";
import { pauseSending } from "./answers/sending-pauses.ts";
import { bounceWork } from "./bounces/bounce-work.ts";
import { complaintWork } from "./complaints/complaint-work.ts";
import { forwarderConfig } from "./config.ts";
import { forwarderConsumers } from "./consumers.ts";
import { forwarderContract } from "./contract.ts";
import { deliveryTable } from "./deliveries/delivery.ts";
import { deliveryWork } from "./deliveries/delivery-work.ts";
import { releaseVerified } from "./deliveries/holding.ts";
import { pruneWork } from "./deliveries/prune-work.ts";
import type { DeliveryResult } from "./deliveries/record-results.ts";
import { DeliveryMetrics, observeDeliveries } from "./metrics.ts";
import { ForwardedMessages } from "./outbound/forwarded-messages.ts";
import { OutboundMessageBuilder } from "./outbound/outbound-message-builder.ts";
import { forwarderProcedures } from "./procedures.ts";
import { replyCodesOf } from "./replies/reply-codes.ts";
import { AuthorReports } from "./reports/author-reports.ts";
import { OriginalFingerprints } from "./reports/original-fingerprints.ts";
import { DomainKeys } from "./signing/domain-keys.ts";
import { ServiceDomainKeys } from "./signing/service-domain-keys.ts";
import { Signer } from "./signing/signer.ts";
import { suspensionWork } from "./suspension/suspension-work.ts";
import { createTransport } from "./transports/create-transport.ts";

/** Of the keys of SERVICE_DOMAIN. */
const sealingPurpose = "signing keys";

/**
 * Sends all mail: what is forwarded, and the service's own. A binding that is removed stops no delivery, since its sender
 * was told 250 (RFC 5321 section 6.1).
 */
export const forwarder = defineService({
  name: "forwarder",
  config: forwarderConfig,
  needs: { ingress: ingressContract, bindings: bindingsContract, auth: authContract },
  contract: forwarderContract,
  migrations: new URL("./migrations/", import.meta.url),
  sealed: { table: "signing_key", purpose: sealingPurpose },
  build({ db, config, settings, secrets, rpc, streams, limits, logger, metrics }) {
    const serviceDomain = settings.SERVICE_DOMAIN;
    const serviceDomainKeys = new ServiceDomainKeys(db, new Sealer(secrets, sealingPurpose), config.DKIM_RETIRED_DAYS);
    const isDelegated = config.DKIM_DELEGATION === "cname";
    const domainKeys = new DomainKeys({
      db,
      sealer: new Sealer(secrets, "signing keys of domains"),
      retiredDays: config.DKIM_RETIRED_DAYS,
      rotatedAfterDays: isDelegated ? config.DKIM_ROTATE_DAYS : undefined,
    });
    const signer = new Signer({ keys: serviceDomainKeys, mode: config.FORWARD_SIGN, domain: serviceDomain });
    const reversePaths = new ReversePaths(secrets, serviceDomain);
    const transport = createTransport({
      outbound: config.OUTBOUND,
      dataDir: settings.DATA_DIR,
      serviceDomain,
      ownHosts: mailHosts(config, serviceDomain),
      maxSessions: config.FORWARD_SESSIONS,
      maxPerOwner: Math.min(config.FORWARD_PER_OWNER, Math.ceil(config.FORWARD_CONCURRENCY / 2)),
      handshakeS: config.FORWARD_HANDSHAKE_S,
      allowedCidrs: config.OUTBOUND_ALLOW_CIDRS,
      mxPort: config.MX_PORT,
      dnsServers: config.DNS_SERVERS,
      isDaneOn: config.MX_DANE,
    });
    const deliveryMetrics = new DeliveryMetrics(metrics);
    const fingerprints = new OriginalFingerprints(secrets);
    const reports = new AuthorReports({
      serviceName: settings.SERVICE_NAME,
      serviceDomain,
      limits,
      secrets,
      metrics,
    });
    const messageIds = new SealedMessageIds(secrets);
    const namedRealAddresses = new NamedRealAddresses({ db, bindings: rpc.bindings, serviceDomain });
    const incoming = new IncomingRewriter({ bindings: rpc.bindings, messageIds, serviceDomain, namedRealAddresses });
    const outgoing = new OutgoingAnswers({
      ingress: streams.ingress,
      bindings: rpc.bindings,
      messageIds,
      signer,
      domainKeys,
      serviceDomain,
      namedRealAddresses,
    });
    const deliveries = deliveryWork({
      db,
      metrics,
      table: deliveryTable(
        { all: config.FORWARD_CONCURRENCY, perDomain: transport.maxPerDomain, perOwner: transport.maxPerOwner },
        config.FORWARD_LEASE_S,
      ),
      messageBuilder: new OutboundMessageBuilder({
        db,
        messages: new ForwardedMessages({
          ingress: streams.ingress,
          signer,
          domainKeys,
          serviceDomain,
          incoming,
        }),
        answers: outgoing,
        signer,
        reversePaths,
        serviceName: settings.SERVICE_NAME,
        serviceDomain,
      }),
      transport,
      reports,
      fingerprints,
      workerId: newId(),
      scheduleS: config.FORWARD_RETRY_S,
      logger,
      onResult(delivery, result) {
        deliveryMetrics.attempted(delivery, result);
        // Events tell the owner of a forward that failed; a failed notice is only logged.
        if (delivery.kind === "notice" && result.state === "given_up")
          logger.warn(
            { notice: delivery.noticeId, ...codesAndReason(result) },
            "gave up a notice that could not be delivered",
          );
      },
    });
    const wake = () => deliveries.wake();
    const bounces = bounceWork({
      db,
      ingress: streams.ingress,
      reversePaths,
      reports,
      fingerprints,
      logger,
      metrics,
      onBounce: (delivery, kind, reply) => deliveryMetrics.bounced(delivery, kind, reply),
      wake,
    });
    const pauses = pauseSending({
      db,
      auth: rpc.auth,
      serviceName: settings.SERVICE_NAME,
      serviceDomain,
      logger,
      complaints: { minOrganisations: config.COMPLAINTS_PAUSE_ORGANISATIONS, percent: config.COMPLAINTS_PAUSE_PERCENT },
    });
    const complaints = complaintWork({
      db,
      ingress: streams.ingress,
      reversePaths,
      logger,
      metrics,
      wakePauses: () => pauses.wake(),
    });
    const answers = answerWork({
      db,
      answers: outgoing,
      publicUrl: settings.PUBLIC_URL,
      serviceName: settings.SERVICE_NAME,
      leaseS: config.FORWARD_LEASE_S,
      logger,
      metrics,
      wake,
    });
    const releases = new PollingTask({
      name: "held-deliveries",
      intervalMs: minuteMs,
      logger,
      async run() {
        if ((await releaseVerified(db)) > 0) wake();
        return false;
      },
    });
    observeDeliveries(metrics, db, () => deliveries.inFlightCount, transport);
    const procedures = forwarderProcedures({
      db,
      bindings: rpc.bindings,
      serviceDomainKeys,
      domainKeys,
      isDelegated,
      mail: {
        domain: serviceDomain,
        hosts: mailHosts(config, serviceDomain),
        senders: config.SPF_SENDERS,
      },
      wake,
      wakeAnswers: () => answers.wake(),
    });
    return {
      start: () => serviceDomainKeys.start(),
      stop: () => transport.close(),
      procedures,
      subgraph: async () => {
        const { forwarderSubgraph } = await import("./graph/resolvers.ts");
        return forwarderSubgraph(procedures, db);
      },
      consumers: forwarderConsumers({ deliveries, answers, complaints, releases, bounces }),
      tasks: [
        deliveries,
        answers,
        pauses,
        complaints,
        releases,
        bounces,
        suspensionWork({
          db,
          bindings: rpc.bindings,
          auth: rpc.auth,
          serviceName: settings.SERVICE_NAME,
          logger,
          metrics,
        }),
        serviceDomainKeys.work(logger),
        domainKeys.work(logger),
        new PollingTask({ name: "closed-accounts", intervalMs: hourMs / 6, logger, run: () => removeLateArrivals(db) }),
        pruneWork(db, config.FORWARD_KEEP_DAYS, logger),
      ],
    };
  },
});

/** The last answer without its words: they may hold an address, and operators read logs. */
function codesAndReason({ attempt, reply }: DeliveryResult) {
  return { ...replyCodesOf(attempt?.response ?? ""), reason: reply?.reason };
}
