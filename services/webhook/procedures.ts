import type { mailboxContract } from "../mailbox/contract.ts";
import type { Database } from "../platform/db/types.ts";
import type { CallbackUrls } from "../platform/net/callback-urls.ts";
import type { Client, Implementation } from "../platform/rpc/contract.ts";
import { accountWebhook, removeAccountWebhook, setAccountWebhook } from "./account-webhook/account-webhook.ts";
import { failedEventCallCount, ownedEventCalls, retryEventCalls } from "./account-webhook/owned-event-calls.ts";
import { ownedCallbacks, retryCallback, retryCallbacks } from "./callbacks/owned-callbacks.ts";
import { callbacksOfEmails, publishOutcomesAgain } from "./callbacks/reconciliation.ts";
import type { webhookContract } from "./contract.ts";
import type { Egress } from "./egress/egress.ts";
import { AttemptFailure } from "./egress/failure.ts";
import type { Recorders } from "./recorders/recorders.ts";

interface Dependencies {
  db: Database;
  mailbox: Pick<Client<typeof mailboxContract>, "pushEvents">;
  urls: CallbackUrls;
  recorders: Recorders;
  egress: Pick<Egress, "read">;
  /** Called when a callback became due, and when the call of an event did. */
  wake: () => void;
  wakeEvents: () => void;
}

/** Implements webhook's contract. */
export function webhookProcedures(dependencies: Dependencies): Implementation<typeof webhookContract> {
  const { db, recorders, egress, wake, wakeEvents } = dependencies;
  return {
    accountWebhook: async ({ ownerId }) => ({ webhook: await accountWebhook(db, ownerId) }),
    setAccountWebhook: (setting) => setAccountWebhook(setting, dependencies),
    removeAccountWebhook: async ({ ownerId }) => {
      await removeAccountWebhook(ownerId, dependencies);
      return {};
    },
    eventCalls: (page) => ownedEventCalls(db, page),
    failedEventCallCount: async ({ ownerId, bindingId }) => ({
      count: await failedEventCallCount(db, ownerId, bindingId),
    }),
    retryEventCalls: async (which) => {
      const count = await retryEventCalls(db, which);
      wakeEvents();
      return { count };
    },
    callbacks: ({ ownerId, emailIds }) => ownedCallbacks(db, ownerId, emailIds),
    retry: async ({ ownerId, emailId }) => {
      await retryCallback(db, ownerId, emailId);
      wake();
      return {};
    },
    retryMany: async ({ ownerId, emailIds }) => {
      const count = await retryCallbacks(db, ownerId, emailIds);
      wake();
      return { count };
    },
    emailCallbacks: ({ emailIds }) => callbacksOfEmails(db, emailIds),
    publishOutcomes: async ({ emailIds }) => ({ count: await publishOutcomesAgain(db, emailIds) }),
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
