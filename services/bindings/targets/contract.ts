import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";

/** What an API key holds bindings to; no domain and no targets hold them to nothing. */
export const Bounds = z.object({
  domain: z.string().nullable(),
  /** Ids of targets, or addresses. */
  targetIds: z.array(z.string()),
  /** Of the key: without alias:read it is shown no binding that is there already. */
  scopes: z.array(z.string()).optional(),
});

/** A real address of an account, whichever bindings lead to it. */
export const AccountTarget = z.object({
  id: z.uuid(),
  /** What programs know it by whose ids are integers. */
  number: z.number().int(),
  address: z.string(),
  isVerified: z.boolean(),
  /** The account's own address, its username. */
  isOwn: z.boolean(),
  /** How many bindings lead to it. */
  bindings: z.number().int(),
});

export const targetProcedures = {
  /** The account's own address, and those that its bindings lead to. */
  targets: { kind: "mutation", input: z.object({ ownerId: z.uuid() }), output: z.array(AccountTarget) },
  /** What the account's bindings are known by to programs whose ids are integers. */
  numbers: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid() }),
    output: z.array(z.object({ id: z.uuid(), number: z.number().int() })),
  },
  ofNumber: {
    kind: "query",
    input: z.object({ ownerId: z.uuid(), number: z.number().int() }),
    output: z.object({ id: z.uuid() }),
  },
} as const;

const ContactNumber = z.object({ id: z.uuid(), number: z.number().int() });

/** What contacts are known by to programs whose ids are integers. */
export const contactNumberProcedures = {
  contactNumbers: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid(), ids: z.array(GivenId).max(1_000) }),
    output: z.array(ContactNumber),
  },
  contactOfNumber: {
    kind: "query",
    input: z.object({ ownerId: z.uuid(), number: z.number().int() }),
    output: z.object({ id: z.uuid(), isBlocked: z.boolean() }),
  },
} as const;

/** What programs beside the contract's own ask for. Errors: NotFound, ValidationFailed, Forbidden. */
export const companionProcedures = {
  /** In every binding that leads to it; the new address is sent a link. */
  replaceRealAddress: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid(), oldAddress: z.string(), newAddress: z.string(), within: Bounds.optional() }),
    output: z.object({ bindings: z.number().int() }),
  },
  /** Web sites that addresses were given to. */
  usedOn: {
    kind: "query",
    input: z.object({ ownerId: z.uuid() }),
    output: z.array(z.object({ bindingId: z.uuid(), sites: z.array(z.string()) })),
  },
  setUsedOn: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid(), bindingId: GivenId, sites: z.array(z.string()), within: Bounds.optional() }),
    output: z.object({}),
  },
} as const;
