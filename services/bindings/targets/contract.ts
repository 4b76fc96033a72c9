import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";
import { Language } from "../../platform/rpc/language.ts";

/** A real address as an owner sets it. */
export const GivenTarget = z.object({
  address: z.string(),
  isEnabled: z.boolean(),
  spfSuffices: z.boolean().optional(),
});

/** The restrictions of an API key on bindings; without a domain and targets it has none. */
export const KeyRestrictions = z.object({
  domain: z.string().nullable(),
  /** Ids of targets, or addresses. */
  targetIds: z.array(z.string()),
  /** Of the key: without alias:read it is shown no binding that is there already. */
  scopes: z.array(z.string()).optional(),
});

/** A real address of an account, whichever bindings lead to it. */
export const AccountTarget = z.object({
  id: z.uuid(),
  /** Its integer id, for programs whose ids are integers. */
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
  /** The integer ids of the account's bindings, for programs whose ids are integers. */
  bindingIntegerIds: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid() }),
    output: z.array(z.object({ id: z.uuid(), number: z.number().int() })),
  },
  bindingOfIntegerId: {
    kind: "query",
    input: z.object({ ownerId: z.uuid(), number: z.number().int() }),
    output: z.object({ id: z.uuid() }),
  },
} as const;

const ContactIntegerId = z.object({ id: z.uuid(), number: z.number().int() });

/** The integer ids of contacts, for programs whose ids are integers. */
export const contactIdProcedures = {
  contactIntegerIds: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid(), ids: z.array(GivenId).max(1_000) }),
    output: z.array(ContactIntegerId),
  },
  contactOfIntegerId: {
    kind: "query",
    input: z.object({ ownerId: z.uuid(), number: z.number().int() }),
    output: z.object({ id: z.uuid(), isBlocked: z.boolean() }),
  },
} as const;

/** For the endpoints of services/rest/compatibility. Errors: NotFound, ValidationFailed, Forbidden. */
export const extensionProcedures = {
  /** Switches all real addresses of a binding off, or on again those that it switched off; without `isEnabled` to what it is not. */
  toggle: {
    kind: "mutation",
    input: z.object({
      ownerId: z.uuid(),
      id: GivenId,
      isEnabled: z.boolean().optional(),
      apiKey: KeyRestrictions.optional(),
    }),
    output: z.object({ isEnabled: z.boolean() }),
  },
  /** In every binding, pattern and rule that leads to it; a new address that is not verified is sent a link, at a limited rate, and gets no mail before. */
  replaceRealAddress: {
    kind: "mutation",
    input: z.object({
      ownerId: z.uuid(),
      oldAddress: z.string(),
      newAddress: z.string(),
      apiKey: KeyRestrictions.optional(),
      /** Of the mail with the link; English if absent. */
      language: Language.optional(),
    }),
    output: z.object({ bindings: z.number().int() }),
  },
  /** Web sites that addresses were given to. */
  websites: {
    kind: "query",
    /** `bindingIds`: of these alone. */
    input: z.object({ ownerId: z.uuid(), bindingIds: z.array(GivenId).max(1_000).optional() }),
    output: z.array(z.object({ bindingId: z.uuid(), sites: z.array(z.string()) })),
  },
  setWebsites: {
    kind: "mutation",
    input: z.object({
      ownerId: z.uuid(),
      bindingId: GivenId,
      sites: z.array(z.string()),
      apiKey: KeyRestrictions.optional(),
    }),
    output: z.object({}),
  },
} as const;
