import type { Database } from "../platform/db/types.ts";
import type { Implementation } from "../platform/rpc/contract.ts";
import { ownedCallbacks, retryCallback, retryCallbacks } from "./callbacks/owned-callbacks.ts";
import type { webhookContract } from "./contract.ts";
import type { Recorders } from "./recorders/recorders.ts";

/** The procedures of webhook. @param wake called when a callback became due */
export function webhookProcedures(
  db: Database,
  recorders: Recorders,
  wake: () => void,
): Implementation<typeof webhookContract> {
  return {
    callbacks: ({ ownerId, emailIds }) => ownedCallbacks(db, ownerId, emailIds),
    retry: async ({ ownerId, emailId }) => {
      await retryCallback(db, ownerId, emailId);
      wake();
      return {};
    },
    retryMany: async ({ ownerId, emailIds, bindingId }) => {
      const count = await retryCallbacks(db, ownerId, { emailIds, bindingId });
      wake();
      return { count };
    },
    createRecorder: async ({ ownerId }) => ({ hash: await recorders.create(ownerId) }),
    findRecorder: async ({ hash }) => ({ ownerId: await recorders.ownerOf(hash) }),
    removeRecorder: async ({ ownerId, hash }) => {
      await recorders.remove(ownerId, hash);
      return {};
    },
    recorders: ({ ownerId }) => recorders.list(ownerId),
    recordedCalls: ({ ownerId, hash, first }) => recorders.calls(ownerId, hash, first),
    record: async ({ hash, method, body }) => {
      await recorders.record(hash, method, Buffer.from(body, "base64"));
      return {};
    },
  };
}
