import type { Database } from "../platform/db/types.ts";
import { Refusal } from "../platform/errors.ts";
import type { Implementation } from "../platform/rpc/contract.ts";
import type { forwarderContract } from "./contract.ts";
import {
  listDestinations,
  listWaiting,
  pauseDestination,
  resumeDestination,
  retryWaiting,
} from "./deliveries/destinations.ts";
import { ownedDeliveries, retryDelivery } from "./deliveries/owned-deliveries.ts";
import { dnsRecords, type MailDomain, mtaStsPolicy } from "./dns/dns-records.ts";
import type { DkimKeys } from "./signing/dkim-keys.ts";

export interface ForwarderDependencies {
  db: Database;
  keys: DkimKeys;
  mail: Omit<MailDomain, "keys">;
  /** Called when a delivery became due. */
  wake(): void;
}

/** What forwarder answers. */
export function forwarderProcedures(dependencies: ForwarderDependencies): Implementation<typeof forwarderContract> {
  const { db, keys, mail, wake } = dependencies;
  return {
    deliveries: async ({ ownerId, emailIds }) => ownedDeliveries(db, ownerId, emailIds),
    retry: async ({ ownerId, emailId, realAddress }) => {
      await retryDelivery(db, ownerId, emailId, realAddress);
      wake();
      return {};
    },
    dnsRecords: async () => ({
      records: dnsRecords({ ...mail, keys: await keys.published() }),
      mtaStsPolicy: { url: `https://mta-sts.${mail.domain}/.well-known/mta-sts.txt`, text: mtaStsPolicy(mail) },
    }),
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
    rotateSigningKeys: async ({ leadH }) => ({ selectors: await keys.rotate(leadH) }),
  };
}
