import { z } from "zod";
import { GivenId } from "../platform/rpc/given-id.ts";
import { Language } from "../platform/rpc/language.ts";
import { apiKeyProcedures } from "./api-keys/contract.ts";
import { credentialProcedures } from "./sessions/contract.ts";

export { ApiKey } from "./api-keys/contract.ts";
export { Caller, Credential, KeyRights } from "./sessions/contract.ts";

export const BearerToken = z.object({
  id: z.uuid(),
  token: z.string(),
  expiresAt: z.iso.datetime(),
  isSecondFactorGranted: z.boolean(),
  /** True on the account's first sign-in. */
  isNewAccount: z.boolean(),
  accountId: z.uuid(),
});

export const Account = z.object({
  id: z.uuid(),
  username: z.string(),
  isUsernameVerified: z.boolean(),
  isOperatorMade: z.boolean(),
  /** May open the operator's area; absent in the answer of a release before. */
  isOperator: z.boolean().default(false),
  hasSecondFactor: z.boolean(),
  isDisabled: z.boolean(),
  createdAt: z.iso.datetime(),
});

/** What signs an account's callbacks: the current secret, and the former one while it is rotated; each `whsec_…`. */
export const WebhookIdentity = z.object({
  accountId: z.uuid(),
  username: z.string(),
  secrets: z.array(z.string()).min(1),
});

/** Where somebody signs in from; `browser` is a plain name, such as "Firefox on Linux", `device` what its cookie knows it by. */
const Origin = z.object({
  clientAddress: z.string(),
  browser: z.string().max(100).optional(),
  device: z.string().max(100).optional(),
});

const AccountSetting = z.object({ key: z.string(), value: z.string() });

/** The procedures of auth. Errors: WrongUserOrPassword, WrongPassword, BearerTokenInvalid, TokenNotFound, SecondFactorRequired, WrongSecondFactor, SecondFactorNotEnabled, RateLimited, NotFound, Conflict, ValidationFailed. */
export const authContract = {
  service: "auth",
  procedures: {
    /** Exchanges credentials for a bearer token; throttled per account and per client address. */
    signIn: {
      kind: "mutation",
      input: Origin.extend({ username: z.string(), password: z.string() }),
      output: BearerToken,
    },
    /** Exchanges a bearer token and a code (TOTP or recovery) for a bearer token that has the second factor. */
    grantSecondFactor: {
      kind: "mutation",
      input: Origin.extend({ bearer: z.string(), code: z.string() }),
      output: BearerToken,
    },
    ...credentialProcedures,
    ...apiKeyProcedures,
    /** Takes a sign-up; the answer is the same whether the name is free. Errors: Forbidden, ValidationFailed, RateLimited. */
    signUp: {
      kind: "mutation",
      input: z.object({
        username: z.string(),
        password: z.string(),
        clientAddress: z.string(),
        /** Of the mail; English if absent. */
        language: Language.optional(),
      }),
      output: z.object({}),
    },
    /** Sends the link of a sign-up again, if there is one. Errors: RateLimited. */
    resendSignUp: {
      kind: "mutation",
      input: z.object({ username: z.string(), clientAddress: z.string(), language: Language.optional() }),
      output: z.object({}),
    },
    /** Turns the second factor off: by a code, or in a session that gave one within minutes. Errors as of disableSecondFactor, FreshProofRequired. */
    endSecondFactor: {
      kind: "mutation",
      input: z.object({ bearer: z.string(), code: z.string().optional() }),
      output: z.object({}),
    },
    /** What programs keep with an account, by key. Errors: ValidationFailed, QuotaExceeded. */
    settings: { kind: "query", input: z.object({ accountId: z.uuid() }), output: z.array(AccountSetting) },
    changeSettings: {
      kind: "mutation",
      input: z.object({ accountId: z.uuid(), settings: z.array(AccountSetting).max(1_000) }),
      output: z.array(AccountSetting),
    },
    /** The account's API token: the same one until it is revoked. */
    apiToken: { kind: "mutation", input: z.object({ bearer: z.string() }), output: z.object({ token: z.string() }) },
    /** Revokes the account's API token and makes a new one. */
    rotateApiToken: {
      kind: "mutation",
      input: z.object({ accountId: z.uuid() }),
      output: z.object({ token: z.string() }),
    },
    /** A secret for an authenticator, and its otpauth URI. In force once it is confirmed. */
    beginSecondFactor: {
      kind: "mutation",
      input: z.object({ accountId: z.uuid(), sessionId: z.uuid().optional() }),
      output: z.object({ secret: z.string(), uri: z.string() }),
    },
    /** Puts the second factor in force; the recovery codes are shown this once. */
    confirmSecondFactor: {
      kind: "mutation",
      // In the session where it is given, no other code is asked for.
      input: z.object({ accountId: z.uuid(), code: z.string(), sessionId: z.uuid().optional() }),
      output: z.object({ recoveryCodes: z.array(z.string()) }),
    },
    /** Turns it off, with a code of it or a recovery code. */
    disableSecondFactor: {
      kind: "mutation",
      input: z.object({ accountId: z.uuid(), code: z.string() }),
      output: z.object({}),
    },
    account: { kind: "query", input: z.object({ id: GivenId }), output: Account },
    /** Those of the accounts asked for that exist. */
    accounts: { kind: "query", input: z.object({ ids: z.array(GivenId).max(1_000) }), output: z.array(Account) },
    /** Those of the accounts asked for that exist. */
    webhookIdentities: {
      kind: "query",
      input: z.object({ accountIds: z.array(z.uuid()).max(1_000) }),
      output: z.array(WebhookIdentity),
    },
    /** Makes a new webhook secret; the former one goes on signing beside it for a day. */
    rotateWebhookSecret: {
      kind: "mutation",
      input: z.object({ accountId: z.uuid() }),
      output: z.object({ secret: z.string() }),
    },
    /** The keys that bearer tokens verify with (RFC 7517). */
    jwks: {
      kind: "query",
      input: z.object({}),
      output: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
    },
    /** What the link that confirms an account's address is for; changes nothing. */
    describeConfirmation: {
      kind: "query",
      input: z.object({ token: z.string() }),
      output: z.object({ username: z.string() }),
    },
    /** Uses it up, with the password that was chosen at sign-up: the account is its owner's from here on, and is signed in. */
    confirmAddress: {
      kind: "mutation",
      // A gateway or rest of the release before says neither.
      input: Origin.partial().extend({ token: z.string(), password: z.string().default("") }),
      output: z.object({ username: z.string(), bearer: BearerToken.optional() }),
    },
    /** What the link of a password reset is for; changes nothing. */
    describeReset: {
      kind: "query",
      input: z.object({ token: z.string() }),
      output: z.object({ username: z.string(), isSecondFactorRequired: z.boolean().default(false) }),
    },
    /** Uses it up for a new password, and ends sessions, API token and webhook secret. */
    resetPassword: {
      kind: "mutation",
      input: z.object({
        token: z.string(),
        password: z.string(),
        code: z.string().optional(),
        clientAddress: z.string().default(""),
      }),
      output: z.object({ username: z.string() }),
    },
    /** Where an account is signed in, newest first. */
    sessions: {
      kind: "query",
      input: z.object({ accountId: z.uuid() }),
      output: z.array(
        z.object({
          id: z.uuid(),
          clientAddress: z.string(),
          // Absent in the answer of a release before.
          browser: z.string().nullable().default(null),
          isSecondFactorGranted: z.boolean(),
          createdAt: z.iso.datetime(),
          expiresAt: z.iso.datetime(),
        }),
      ),
    },
    /** An account's passkeys, in the order they were registered. */
    passkeys: {
      kind: "query",
      input: z.object({ accountId: z.uuid() }),
      output: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          isBackedUp: z.boolean(),
          createdAt: z.iso.datetime(),
          lastUsedAt: z.iso.datetime().nullable(),
        }),
      ),
    },
    /** The operator's: a code that lets somebody sign up where SIGNUP is invite. */
    invite: {
      kind: "mutation",
      input: z.object({}),
      output: z.object({ code: z.string(), expiresAt: z.iso.datetime() }),
    },
    /** The operator's: makes an account whose username needs no further proof. */
    addAccount: { kind: "mutation", input: z.object({ username: z.string(), password: z.string() }), output: Account },
    /** The operator's: gives an account the right to open the operator's area, or takes it away. */
    setOperator: {
      kind: "mutation",
      input: z.object({ username: z.string(), isOperator: z.boolean() }),
      output: Account,
    },
    listAccounts: { kind: "query", input: z.object({ username: z.string().optional() }), output: z.array(Account) },
    /** The operator's: nothing of this account authenticates any more. */
    disableAccount: { kind: "mutation", input: z.object({ username: z.string() }), output: Account },
    /** The operator's, for who has lost everything: turns the second factor off, removes passkeys if asked for, and ends all sessions. */
    resetSecondFactor: {
      kind: "mutation",
      input: z.object({ username: z.string(), arePasskeysRemoved: z.boolean() }),
      output: z.object({ account: Account, hadSecondFactor: z.boolean(), passkeys: z.number() }),
    },
    /** The operator's: undoes that. Sessions and the API token stay deleted. */
    enableAccount: { kind: "mutation", input: z.object({ username: z.string() }), output: Account },
  },
} as const;
