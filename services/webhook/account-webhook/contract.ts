import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";
import { CallbackAttempt } from "../callbacks/contract.ts";

/** The URL that is told what happens to an account's addresses and emails. */
export const AccountWebhook = z.object({
  url: z.string(),
  /** Kinds of events, as mailbox's `events` names them; none: all. */
  kinds: z.array(z.string()),
  /** None: all bindings. */
  bindingIds: z.array(z.uuid()),
  createdAt: z.iso.datetime(),
  /** Since when it is told nothing any more: its target was gone (410), or failed throughout a schedule. */
  offAt: z.iso.datetime().nullable(),
  offReason: z.enum(["gone", "failing"]).nullable(),
});

const EventCallState = z.enum(["waiting", "delivered", "given_up", "cancelled"]);

/** An event, and how far its call is. */
export const EventCall = z.object({
  /** The event's. */
  id: z.uuid(),
  kind: z.string(),
  at: z.iso.datetime(),
  bindingId: z.uuid().nullable(),
  emailId: z.uuid().nullable(),
  /** Of address.made and address.removed. */
  address: z.string().nullable(),
  url: z.string(),
  /** As it is sent: the event in JSON, and nothing of an email's content. */
  body: z.string(),
  state: EventCallState,
  attempts: z.array(CallbackAttempt),
  nextAttemptAt: z.iso.datetime().nullable(),
});

const ofOwner = z.object({ ownerId: z.uuid() });

export const accountWebhookProcedures = {
  accountWebhook: { kind: "query", input: ofOwner, output: z.object({ webhook: AccountWebhook.nullable() }) },
  /** Sets it, or switches it on again. Errors: ValidationFailed. */
  setAccountWebhook: {
    kind: "mutation",
    input: z.object({
      ownerId: z.uuid(),
      url: z.string(),
      kinds: z.array(z.string()).default([]),
      bindingIds: z.array(z.string()).default([]),
    }),
    output: z.object({ webhook: AccountWebhook, isCreated: z.boolean() }),
  },
  /** What waits for it is cancelled. There need be none. */
  removeAccountWebhook: { kind: "mutation", input: ofOwner, output: z.object({}) },
  /** Newest first. */
  eventCalls: {
    kind: "query",
    input: z.object({
      ownerId: z.uuid(),
      /** The id of a former page's last one. */
      after: GivenId.optional(),
      /** None: in any. */
      states: z.array(EventCallState).default([]),
      bindingId: GivenId.optional(),
      first: z.number().int().min(1).max(101),
    }),
    output: z.array(EventCall),
  },
  /** Those that were given up or cancelled and may be sent again; of one binding alone, or of all. */
  failedEventCallCount: {
    kind: "query",
    input: ofOwner.extend({ bindingId: GivenId.optional() }),
    output: z.object({ count: z.number().int() }),
  },
  /**
   * Tries these again at once, delivered ones too; without ids all that failed or wait, or of them those in these states or of one binding.
   * Errors: NotFound where there is no webhook.
   */
  retryEventCalls: {
    kind: "mutation",
    input: ofOwner.extend({
      ids: z.array(GivenId).max(100).optional(),
      states: z.array(EventCallState).default([]),
      bindingId: GivenId.optional(),
    }),
    output: z.object({ count: z.number().int() }),
  },
} as const;
