import { z } from "zod";

/** What happened to an address or an email of an account. */
export const AccountEvent = z.object({
  /** Where to go on after it. */
  cursor: z.string(),
  id: z.uuid(),
  kind: z.enum(["email.arrived", "delivery.settled", "delivery.bounced", "address.made", "address.removed"]),
  at: z.iso.datetime(),
  bindingId: z.uuid().nullable(),
  emailId: z.uuid().nullable(),
  /** Of address.made and address.removed. */
  address: z.string().nullable(),
  /** Of delivery.settled, as the timeline names it: forwarded, sent, called_back, given_up, cancelled … */
  outcome: z.string().nullable(),
});

export const accountEventProcedures = {
  /** An account's events in the order in which they became known, at least once each. Errors: ValidationFailed, Gone. */
  events: {
    kind: "mutation",
    input: z.object({
      ownerId: z.uuid(),
      /** Absent: from the oldest that is kept. */
      after: z.string().optional(),
      first: z.number().int().min(1).max(1_000),
    }),
    output: z.array(AccountEvent),
  },
  /** From now on an account's events are published as well (account.event.recorded), or no longer: for webhook. */
  pushEvents: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid(), isPushed: z.boolean() }),
    output: z.object({}),
  },
} as const;
