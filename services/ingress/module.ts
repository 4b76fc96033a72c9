import { bindingsContract } from "../bindings/contract.ts";
import { forwarderContract } from "../forwarder/contract.ts";
import { ReversePaths } from "../message/address/reverse-path.ts";
import { SealedMessageIds } from "../message/header/sealed-message-id.ts";
import { rangesOf } from "../platform/net/special-ranges.ts";
import { PendingCounts } from "../platform/runtime/pending-counts.ts";
import { defineService } from "../platform/service.ts";
import { AnswerPolicy } from "./answers/answer-policy.ts";
import { expireAnswerDigests, wasTaken } from "./answers/replay-protection.ts";
import { DmarcResults } from "./authentication/dmarc-results.ts";
import { DnsCache } from "./authentication/dns-cache.ts";
import { OwnKeyLookups } from "./authentication/own-key-lookups.ts";
import { SpfResults } from "./authentication/spf-results.ts";
import { ingressConfig } from "./config.ts";
import { ingressContract } from "./contract.ts";
import { BlockedContacts } from "./receiving/blocked-contacts.ts";
import { MailLimits } from "./receiving/mail-limits.ts";
import { MessageReceiver } from "./receiving/message-receiver.ts";
import { NewAddresses } from "./receiving/new-addresses.ts";
import { operatorRoute } from "./receiving/operator-route.ts";
import { Recipients } from "./receiving/recipients.ts";
import { SenderPolicy } from "./receiving/sender-policy.ts";
import { SmtpMailHandler } from "./receiving/smtp-mail-handler.ts";
import { SmtpTelemetry } from "./receiving/smtp-telemetry.ts";
import { MailRules, type RuleHit } from "./rules/mail-rules.ts";
import { RuleLimits } from "./rules/rule-limits.ts";
import { expireIdempotencyKeys } from "./sending/idempotency-keys.ts";
import { sendMessage } from "./sending/send-message.ts";
import { SmtpListener } from "./smtp/smtp-listener.ts";
import { SmtpServer } from "./smtp/smtp-server.ts";
import { GroupCommit } from "./storage/group-commit.ts";
import { keptMessages, publishAgain } from "./storage/kept-messages.ts";
import { expireRawMessages, mailReleasedConsumer } from "./storage/raw-message-expiry.ts";
import { RawMessages } from "./storage/raw-messages.ts";
import { keySource, tlsFilesCheck } from "./tls/key-source.ts";

/** For a message's lookups of keys, of policies and of senders, each. */
const lookupsTimeoutMs = 5_000;

/** Receives mail by SMTP: authenticates and stores each message, then answers 250. */
export const ingress = defineService({
  name: "ingress",
  config: ingressConfig,
  configChecks: [tlsFilesCheck],
  contract: ingressContract,
  needs: { bindings: bindingsContract, forwarder: forwarderContract },
  migrations: new URL("migrations/", import.meta.url),
  keepsBlobs: true,
  async build({ config, settings, secrets, db, blobs, rpc, limits, logger, metrics }) {
    const serviceDomain = settings.SERVICE_DOMAIN;
    const isExempt = rangesOf(config.LIMIT_EXEMPT_CIDRS).contains;
    const rawMessages = new RawMessages(db, blobs);
    const groupCommit = new GroupCommit(db, rawMessages);
    const telemetry = new SmtpTelemetry(logger, metrics);
    const newAddresses = new NewAddresses(rpc.bindings);
    const ruleHits = new PendingCounts<RuleHit>({
      name: "rule-hits",
      write: (hits) =>
        rpc.bindings.countRuleHits({ hits: hits.map((each) => ({ ...each, lastAt: each.lastAt.toISOString() })) }),
    });
    const rules = new MailRules({ hits: ruleHits, limits: new RuleLimits(limits), metrics });
    const mailHandler = new SmtpMailHandler({
      telemetry,
      newAddresses,
      rules,
      limits: new MailLimits(limits, {
        perClient: config.LIMIT_CLIENT_PER_MIN,
        perBinding: config.LIMIT_BINDING_PER_MIN,
        isExempt,
      }),
      recipients: new Recipients({
        bindings: rpc.bindings,
        reversePaths: new ReversePaths(secrets, serviceDomain),
        serviceDomain,
        operatorRoute: operatorRoute(serviceDomain, config.OPERATOR_ADDRESS),
      }),
      receiver: new MessageReceiver({
        blobs,
        groupCommit,
        telemetry,
        serviceDomain,
        badOctets: config.SMTP_BARE_LINE_ENDINGS,
        lookups: new OwnKeyLookups(new DnsCache(config.DNS_SERVERS), rpc.forwarder, serviceDomain),
        spf: new SpfResults(),
        dmarc: new DmarcResults(),
        timeoutMs: lookupsTimeoutMs,
        answerPolicy: new AnswerPolicy({
          bindings: rpc.bindings,
          messageIds: new SealedMessageIds(secrets),
          limits,
          wasTaken: (digest) => wasTaken(db, digest),
        }),
        blockedContacts: new BlockedContacts(rpc.bindings),
        newAddresses,
        rules,
        senderPolicy: new SenderPolicy({
          bindings: rpc.bindings,
          enforcesDmarc: config.DMARC_ENFORCE,
          trustedSealers: config.ARC_TRUSTED_SEALERS,
        }),
      }),
    });
    const keys = await keySource(
      { key: config.SMTP_TLS_KEY_FILE, cert: config.SMTP_TLS_CERT_FILE },
      serviceDomain,
      logger,
    );
    const smtp = new SmtpServer(
      {
        name: serviceDomain,
        sizeLimitBytes: config.SMTP_SIZE_LIMIT,
        recipientLimit: config.SMTP_RECIPIENT_LIMIT,
        idleTimeoutMs: config.SMTP_IDLE_TIMEOUT_S * 1_000,
        keyPair: keys.current,
      },
      mailHandler,
    );
    const listener = new SmtpListener(smtp, {
      port: config.SMTP_PORT,
      maxConnections: config.SMTP_MAX_CONNECTIONS,
      maxConnectionsPerClient: config.SMTP_MAX_CONNECTIONS_PER_CLIENT,
      isExempt,
      isProxy: rangesOf(config.SMTP_PROXY_CIDRS).contains,
      // The rest of the stop must fit into STOP_TIMEOUT_S as well.
      drainTimeoutMs: settings.STOP_TIMEOUT_S * 500,
      logger,
    });
    metrics.gauge("postern_smtp_open_connections", "SMTP connections that are open", [], (gauge) =>
      gauge.set(listener.openConnections),
    );
    return {
      procedures: {
        send: (message) => sendMessage({ db, blobs, groupCommit, bindings: rpc.bindings }, message),
        keptMessages: (page) => keptMessages(db, page),
        publishAgain: async ({ emails }) => ({ count: await publishAgain(db, emails) }),
        release: async ({ emails }) => {
          await db.tx((tx) => rawMessages.release(tx, emails));
          return {};
        },
        lostBlobs: (page) => rawMessages.lost(page),
        strayObjects: ({ before, ...page }) => blobs.strayObjects({ ...page, before: new Date(before) }),
      },
      streams: { rawMessage: ({ rawId }) => rawMessages.open(rawId) },
      consumers: [mailReleasedConsumer(rawMessages)],
      tasks: [
        ruleHits.task(logger),
        expireRawMessages(rawMessages, config.RAW_RETENTION_DAYS, logger),
        expireAnswerDigests(db, logger),
        expireIdempotencyKeys(db, logger),
        ...keys.watch((pair) => smtp.replaceKeyPair(pair)),
      ],
      listeners: [listener],
    };
  },
});
