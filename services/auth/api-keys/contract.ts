import { z } from "zod";

/** A key as its account's owner sees it. */
export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  domain: z.string().nullable(),
  /** Ids of targets, or addresses, as they were given. */
  targetIds: z.array(z.string()),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});

/** Which key, and by which session: what changes keys takes one with a fresh proof. */
const Named = z.object({ accountId: z.uuid(), sessionId: z.uuid().optional(), idOrName: z.string() });

export const apiKeyProcedures = {
  /** An account's, in the order they were made. */
  apiKeys: { kind: "query", input: z.object({ accountId: z.uuid() }), output: z.array(ApiKey) },
  /**
   * Makes the key exactly what is given, or a new one where the account has none of this name; the key itself is shown then alone.
   * Errors: FreshProofRequired unless nothing changes, NotFound for an id, Conflict where several have the name.
   */
  putApiKey: {
    kind: "mutation",
    input: Named.extend({
      scopes: z.array(z.string()),
      domain: z.string().nullish(),
      targetIds: z.array(z.string()).nullish(),
      /** ISO 8601. */
      expiresAt: z.string().nullish(),
    }),
    output: z.object({ apiKey: ApiKey, key: z.string().nullable(), isCreated: z.boolean() }),
  },
  /** Errors: FreshProofRequired, NotFound, Conflict where several have the name. */
  removeApiKey: { kind: "mutation", input: Named, output: z.object({}) },
} as const;
