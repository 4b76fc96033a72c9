import type { Database } from "../platform/db/types.ts";
import type { Implementation } from "../platform/rpc/contract.ts";
import { ownedCallbacks, retryCallback, retryCallbacks } from "./callbacks/owned-callbacks.ts";
import type { webhookContract } from "./contract.ts";
import type { Egress } from "./egress/egress.ts";
import { AttemptFailure } from "./egress/failure.ts";
import type { Recorders } from "./recorders/recorders.ts";

/** The procedures of webhook. @param wake called when a callback became due */
export function webhookProcedures(
  db: Database,
  recorders: Recorders,
  wake: () => void,
  egress: Pick<Egress, "read">,
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
    read: async ({ url, headers }) => {
      try {
        return { ...(await egress.read(url, headers)), failure: "" };
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error;
        return { status: null, text: "", failure: error.message };
      }
    },
    record: async ({ hash, method, body }) => {
      await recorders.record(hash, method, Buffer.from(body, "base64"));
      return {};
    },
  };
}
