import { authContract } from "../auth/contract.ts";
import { forwarderContract } from "../forwarder/contract.ts";
import { accountSwitchConsumers } from "../platform/accounts/disabled-accounts.ts";
import { CallbackUrls } from "../platform/net/callback-urls.ts";
import { mailHosts } from "../platform/net/config.ts";
import { rangesOf } from "../platform/net/special-ranges.ts";
import { Sealer } from "../platform/security/sealing.ts";
import { defineService } from "../platform/service.ts";
import { webhookContract } from "../webhook/contract.ts";
import { ReservedNames } from "./addresses/reserved-names.ts";
import { ServedDomains } from "./addresses/served-domains.ts";
import { bindingsConfig } from "./config.ts";
import { countSentToContacts } from "./contacts/count-mail.ts";
import { pruneContacts } from "./contacts/prune-contacts.ts";
import { SendingLimits } from "./contacts/sending-limits.ts";
import { recordPausedSending } from "./contacts/sending-pauses.ts";
import { SendingPolicy } from "./contacts/sending-policy.ts";
import { bindingsContract } from "./contract.ts";
import { checkWork } from "./domains/check-work.ts";
import { DomainChecks } from "./domains/checks.ts";
import { NameServers } from "./domains/name-servers.ts";
import { OwnDomains } from "./domains/own-domains.ts";
import { importWork } from "./imports/import-work.ts";
import { Imports } from "./imports/imports.ts";
import { pruneImports } from "./imports/prune-imports.ts";
import { closeAccounts } from "./owners/account-closed.ts";
import { openAccounts } from "./owners/account-opened.ts";
import { recordFullStorage } from "./owners/full-storage.ts";
import { Owners } from "./owners/owners.ts";
import { bindingsProcedures } from "./procedures.ts";
import { recordAccepted } from "./proxy-bindings/accepted-mail.ts";
import { quotaOf } from "./proxy-bindings/quota.ts";
import { searchIndexTask } from "./proxy-bindings/search-index.ts";
import { refusalCounter } from "./routing/refusal-counter.ts";
import { AddressVerification } from "./verification/address-verification.ts";
import { VerificationLinks } from "./verification/links.ts";
import { sweepLinks } from "./verification/sweep.ts";

/** First looks at what an account would import. */
const importsPerHour = 20;

/** Proxy bindings, their real addresses and the verification of these; resolves recipients to routes. */
export const bindings = defineService({
  name: "bindings",
  config: bindingsConfig,
  needs: { auth: authContract, forwarder: forwarderContract, webhook: webhookContract },
  migrations: new URL("./migrations/", import.meta.url),
  contract: bindingsContract,
  build(context) {
    const { db, config, settings, secrets, rpc, limits, logger, metrics } = context;
    const domains = new ServedDomains(settings);
    const owners = new Owners(db, rpc.auth, domains);
    const links = new VerificationLinks(context);
    const callbackUrls = new CallbackUrls(rangesOf(config.CALLBACK_ALLOW_CIDRS), settings.PUBLIC_URL);
    const refusals = refusalCounter(db);
    const quota = config.QUOTA_BINDINGS;
    const checks = new DomainChecks({
      db,
      domains,
      nameServers: new NameServers(config.DNS_SERVERS),
      keysOf: (domainId) => rpc.forwarder.domainKeys({ domainId }),
      hosts: mailHosts(config, domains.service),
      isDelegated: config.DKIM_DELEGATION === "cname",
      serviceName: settings.SERVICE_NAME,
      now: () => new Date(),
    });
    const domainChecks = checkWork({ db, checks, logger, metrics });
    const ownDomains = new OwnDomains({
      db,
      domains,
      owners,
      checks,
      limits,
      quota: config.QUOTA_DOMAINS,
      rotateKeys: (domainId) => rpc.forwarder.rotateDomainKeys({ domainId }),
      wake: () => domainChecks.wake(),
    });
    const dependencies = {
      db,
      domains,
      owners,
      links,
      callbackUrls,
      quota,
      contactQuota: config.QUOTA_CONTACTS,
      newAddressesPerDay: config.QUOTA_CLAIMS,
      reservedNames: new ReservedNames(settings.SERVICE_NAME),
      newContacts: limits.limit({ name: "new-contacts", points: config.LIMIT_NEW_CONTACTS_PER_HOUR, windowS: 3_600 }),
      sending: {
        policy: new SendingPolicy({ mode: config.SENDING, minAgeDays: config.SENDING_MIN_AGE_D, auth: rpc.auth }),
        limits: new SendingLimits(limits, config),
      },
    };
    const sealer = new Sealer(secrets, "import-key");
    const importing = importWork({ db, dependencies, ownDomains, sealer, webhook: rpc.webhook, logger, metrics });
    const imports = new Imports({
      dependencies,
      sealer,
      perHour: limits.limit({ name: "import", points: importsPerHour, windowS: 3_600 }),
      wake: () => importing.wake(),
    });
    const procedures = bindingsProcedures({
      dependencies,
      verification: new AddressVerification(db, links),
      refusals,
      ownDomains,
      imports,
    });
    return {
      procedures,
      subgraph: async () => {
        const { bindingsSubgraph } = await import("./graph/resolvers.ts");
        return bindingsSubgraph({
          db,
          procedures,
          quotaOf: (ownerId) => quotaOf(db, ownerId, quota),
          domain: domains.service,
        });
      },
      consumers: [
        recordFullStorage,
        recordAccepted(domains, config.QUOTA_CONTACTS),
        countSentToContacts,
        recordPausedSending,
        openAccounts(owners, domains, config.AUTOMATIC_BINDING),
        closeAccounts,
        ...accountSwitchConsumers(),
      ],
      tasks: [
        sweepLinks(db, logger),
        pruneContacts(db, logger),
        refusals.task(logger),
        domainChecks,
        importing,
        pruneImports(db, logger),
        searchIndexTask(db, logger),
      ],
    };
  },
});
