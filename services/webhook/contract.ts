import { z } from "zod";
import { GivenId } from "../platform/rpc/given-id.ts";
import { accountWebhookProcedures } from "./account-webhook/contract.ts";
import { Callback } from "./callbacks/contract.ts";

export type { AccountWebhook, EventCall } from "./account-webhook/contract.ts";
export { Callback, type CallbackExchange } from "./callbacks/contract.ts";

export const RecordedCall = z.object({
  method: z.string(),
  body: z.string(),
  /** Only the beginning of its body is here: several recorders were asked for, and their calls are long. */
  isTruncated: z.boolean(),
  at: z.iso.datetime(),
});

/** The procedures of webhook. Errors: NotFound; of `createRecorder` also QuotaExceeded, of `record` BodyTooLarge and ValidationFailed. */
export const webhookContract = {
  service: "webhook",
  procedures: {
    ...accountWebhookProcedures,
    /** The callbacks of the owner's emails asked for. */
    callbacks: {
      kind: "query",
      input: z.object({ ownerId: z.uuid(), emailIds: z.array(z.uuid()).max(1_000) }),
      output: z.array(Callback),
    },
    /** Tries a waiting or given-up callback again at once. */
    retry: { kind: "mutation", input: z.object({ ownerId: z.uuid(), emailId: GivenId }), output: z.object({}) },
    /** The same for all of these emails that failed or wait. */
    retryMany: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid(), emailIds: z.array(GivenId).max(100) }),
      output: z.object({ count: z.number().int() }),
    },
    /** For operators: which of these emails have a callback, and whether it is settled. */
    emailCallbacks: {
      kind: "query",
      input: z.object({ emailIds: z.array(z.uuid()).max(10_000) }),
      output: z.array(z.object({ emailId: z.uuid(), bindingId: z.uuid(), isSettled: z.boolean() })),
    },
    /** For operators: publishes delivery.settled again for the settled callbacks of these emails. */
    publishOutcomes: {
      kind: "mutation",
      input: z.object({ emailIds: z.array(z.uuid()).max(10_000) }),
      output: z.object({ count: z.number().int() }),
    },
    createRecorder: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid() }),
      output: z.object({ hash: z.string() }),
    },
    /** Whose the recorder of this hash is, whoever asks. */
    findRecorder: {
      kind: "query",
      input: z.object({ hash: z.string() }),
      // Absent in the response of a release before.
      output: z.object({ ownerId: z.uuid().optional() }),
    },
    /** Removes an owner's recorder, and the calls that it recorded. */
    removeRecorder: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid(), hash: z.string() }),
      output: z.object({}),
    },
    recorders: {
      kind: "query",
      input: z.object({ ownerId: z.uuid() }),
      output: z.array(z.object({ hash: z.string(), createdAt: z.iso.datetime() })),
    },
    /** Newest first, at most 50. */
    recordedCalls: {
      kind: "query",
      input: z.object({
        ownerId: z.uuid(),
        hash: z.string(),
        first: z.number().int().positive().max(50).default(50),
      }),
      output: z.array(RecordedCall),
    },
    /**
     * What a URL that a user gave answers to GET: a text of 1 MiB at most. No special address is reached, and no redirect followed. `status`
     * is null where no answer came, and `failure` says why to the user.
     */
    read: {
      kind: "mutation",
      input: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
      output: z.object({ status: z.number().int().nullable(), text: z.string(), failure: z.string() }),
    },
    /** Records a call to a recorder's call URL; the body in base64, at most 10 MiB before it. */
    record: {
      kind: "mutation",
      input: z.object({ hash: z.string(), method: z.string(), body: z.base64() }),
      output: z.object({}),
    },
  },
} as const;
