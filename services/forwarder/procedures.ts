import type { bindingsContract } from "../bindings/contract.ts";
import type { Database } from "../platform/db/types.ts";
import { Refusal } from "../platform/errors.ts";
import type { Client, Implementation } from "../platform/rpc/contract.ts";
import { describeHeld, sendHeld } from "./answers/held-answers.ts";
import { listPaused, resumeSending } from "./answers/sending-pauses.ts";
import { listComplaints } from "./complaints/record-complaint.ts";
import type { forwarderContract } from "./contract.ts";
import {
  listDestinations,
  listWaiting,
  pauseDestination,
  resumeDestination,
  retryWaiting,
} from "./deliveries/destinations.ts";
import { ownedDeliveries, retryDeliveries, retryDelivery } from "./deliveries/owned-deliveries.ts";
import { deliveriesOf, publishOutcomesAgain } from "./deliveries/reconciliation.ts";
import { dnsRecords, keyRecordData, type MailDomain, mtaStsPolicy } from "./dns/dns-records.ts";
import type { DomainKeys } from "./signing/domain-keys.ts";
import type { ServiceDomainKeys } from "./signing/service-domain-keys.ts";

interface ForwarderDependencies {
  db: Database;
  bindings: Pick<Client<typeof bindingsContract>, "contactFaults">;
  serviceDomainKeys: ServiceDomainKeys;
  domainKeys: DomainKeys;
  /** DKIM_DELEGATION is cname. */
  isDelegated: boolean;
  mail: Omit<MailDomain, "keys" | "delegatedKeys">;
  /** Called when a delivery became due. */
  wake(): void;
  /** Called when an answer is to be composed. */
  wakeAnswers(): void;
}

/** The procedures of forwarder. */
export function forwarderProcedures(dependencies: ForwarderDependencies): Implementation<typeof forwarderContract> {
  const { db, bindings, serviceDomainKeys, domainKeys, isDelegated, mail, wake, wakeAnswers } = dependencies;
  return {
    deliveries: async ({ ownerId, emailIds }) => ownedDeliveries(db, ownerId, emailIds),
    pausedSending: () => listPaused(db),
    complaints: ({ limit }) => listComplaints(db, limit),
    resumeSending: async ({ ownerId }) => {
      if (!(await resumeSending(db, ownerId)))
        throw new Refusal("NotFound", { public: "The sending of this account is not paused." });
      wake();
      return {};
    },
    describeHeldAnswer: ({ token }) => describeHeld({ db, bindings }, token),
    sendHeldAnswer: async ({ token }) => {
      const held = await sendHeld({ db, bindings }, token);
      wakeAnswers();
      return held;
    },
    retry: async ({ ownerId, emailId, realAddress }) => {
      await retryDelivery(db, ownerId, emailId, realAddress);
      wake();
      return {};
    },
    retryMany: async ({ ownerId, emailIds }) => {
      const count = await retryDeliveries(db, ownerId, emailIds);
      wake();
      return { count };
    },
    dnsRecords: async () => ({
      records: dnsRecords({
        ...mail,
        keys: await serviceDomainKeys.published(),
        delegatedKeys: isDelegated ? await domainKeys.ofProvedDomains() : [],
      }),
      mtaStsPolicy: { url: `https://mta-sts.${mail.domain}/.well-known/mta-sts.txt`, text: mtaStsPolicy(mail) },
    }),
    domainKeys: async ({ domainId }) =>
      (await domainKeys.of(domainId)).map(({ keepUntil, ...key }) => ({
        ...key,
        keepUntil: keepUntil?.toISOString() ?? null,
        value: keyRecordData(key),
      })),
    rotateDomainKeys: async ({ domainId }) => {
      await domainKeys.rotate(domainId);
      return {};
    },
    destinations: ({ limit }) => listDestinations(db, limit),
    pauseDestination: async ({ domain }) => {
      await pauseDestination(db, domain.toLowerCase());
      return {};
    },
    resumeDestination: async ({ domain }) => {
      if (!(await resumeDestination(db, domain.toLowerCase())))
        throw new Refusal("NotFound", { public: `Mail to ${domain} is not held back.` });
      wake();
      return {};
    },
    waitingDeliveries: (asked) => listWaiting(db, { ...asked, domain: asked.domain?.toLowerCase() ?? null }),
    retryWaiting: async ({ ids, domain }) => {
      const count = await retryWaiting(db, { ids, domain: domain?.toLowerCase() ?? null });
      wake();
      return { count };
    },
    emailDeliveries: ({ emailIds }) => deliveriesOf(db, emailIds),
    publishOutcomes: async ({ emailIds }) => ({ count: await publishOutcomesAgain(db, emailIds) }),
    rotateSigningKeys: async ({ leadH }) => ({ selectors: await serviceDomainKeys.rotate(leadH) }),
  };
}
