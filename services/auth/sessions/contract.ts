import { z } from "zod";

/** A credential as it came with a request: the `Token` header, or the bearer token of `Authorization`. */
export const Credential = z.object({
  scheme: z.enum(["token", "bearer"]),
  value: z.string(),
  /** The caller holds an API key to its scopes and bounds; a gateway or rest of the release before does not know them. */
  acceptsApiKeys: z.boolean().default(false),
});

/** What an API key is held to; see platform/security/scopes. */
export const KeyRights = z.object({
  id: z.uuid(),
  scopes: z.array(z.string()),
  domain: z.string().nullable(),
  /** Ids of targets, or addresses, as they were given. */
  targetIds: z.array(z.string()),
});

/** Who is calling. */
export const Caller = z.object({
  accountId: z.uuid(),
  username: z.string(),
  /** True for an API token or key, for a bearer token that was given a second factor, and where the account has none. */
  isFullyAuthenticated: z.boolean(),
  /** The sign-in session behind a bearer token; absent for an API token or key. */
  sessionId: z.uuid().optional(),
  /** What tells one API token of the account from its next; absent for what is no API token. */
  tokenId: z.string().optional(),
  /** Where the credential is an API key. */
  key: KeyRights.optional(),
  /** May open the operator's area; absent for what is no session. */
  isOperator: z.boolean().optional(),
});

/** What tells who calls. */
export const credentialProcedures = {
  /** Who a credential stands for. A bearer token that lacks a needed second factor is told apart, not refused. */
  authenticate: { kind: "query", input: Credential, output: Caller },
  /** Of a caller whose request is being answered for long: whether its credential is still good for that. Errors: BearerTokenInvalid. */
  requireInForce: {
    kind: "query",
    input: Caller.pick({ accountId: true, sessionId: true, tokenId: true }).extend({
      keyId: z.uuid().optional(),
      /** Of an API key. */
      scope: z.string(),
      /** What was begun in time goes on: it is enough that the credential was not revoked. */
      mayHaveExpired: z.boolean().default(false),
    }),
    output: z.object({}),
  },
  /** Who a bearer token stands for, where a password or passkey was given in its session within minutes. Errors: FreshProofRequired. */
  provenCaller: {
    kind: "query",
    input: z.object({ bearer: z.string() }),
    output: z.object({ accountId: z.uuid(), sessionId: z.uuid().optional() }),
  },
} as const;
