import type { Database } from "../platform/db/types.ts";
import type { Implementation } from "../platform/rpc/contract.ts";
import type { forwarderContract } from "./contract.ts";
import { dnsRecords, type MailDomain, mtaStsPolicy } from "./dns-records.ts";
import { ownedDeliveries, retryDelivery } from "./owned-deliveries.ts";
import type { ReversePaths } from "./reverse-path.ts";
import type { SigningKeys } from "./signing/keys.ts";

export interface ForwarderParts {
  db: Database;
  reversePaths: ReversePaths;
  keys: SigningKeys;
  mail: Omit<MailDomain, "keys">;
  /** Called when a delivery became due. */
  wake(): void;
}

/** What forwarder answers. */
export function forwarderRouter(parts: ForwarderParts): Implementation<typeof forwarderContract> {
  const { db, reversePaths, keys, mail, wake } = parts;
  return {
    deliveries: async ({ ownerId, emailIds }) => ownedDeliveries(db, ownerId, emailIds),
    retry: async ({ ownerId, emailId, realAddress }) => {
      await retryDelivery(db, ownerId, emailId, realAddress);
      wake();
      return {};
    },
    checkReversePath: async ({ address }) => ({ isValid: reversePaths.read(address, new Date()) !== undefined }),
    dnsRecords: async () => ({
      records: dnsRecords({ ...mail, keys: await keys.published() }),
      mtaStsPolicy: { url: `https://mta-sts.${mail.domain}/.well-known/mta-sts.txt`, text: mtaStsPolicy(mail) },
    }),
    rotateSigningKeys: async ({ leadH }) => ({ selectors: await keys.rotate(leadH) }),
  };
}
