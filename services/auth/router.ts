import { Refusal } from "../platform/errors.ts";
import type { Implementation } from "../platform/rpc/contract.ts";
import type { AccountLinks } from "./account-links.ts";
import type { Accounts } from "./accounts.ts";
import type { ApiTokens } from "./api-tokens.ts";
import type { Confirmations } from "./confirmations.ts";
import type { authContract } from "./contract.ts";
import type { Invitations } from "./invitations.ts";
import type { KeptPasskeys } from "./kept-passkeys.ts";
import type { Passkeys } from "./passkeys.ts";
import type { PasswordChanges } from "./password-changes.ts";
import type { SecondFactor } from "./second-factor.ts";
import type { Sessions } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";
import type { SignUp } from "./sign-up.ts";
import type { SigningKeys } from "./signing-keys.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

/** What auth is made of, for its RPC and its part of the graph. */
export interface AuthParts {
  accounts: Accounts;
  apiTokens: ApiTokens;
  confirmations: Confirmations;
  invitations: Invitations;
  keptPasskeys: KeptPasskeys;
  links: AccountLinks;
  passkeys: Passkeys;
  passwordChanges: PasswordChanges;
  secondFactor: SecondFactor;
  sessions: Sessions;
  signIn: SignIn;
  signUp: SignUp;
  signingKeys: SigningKeys;
  webhookSecrets: WebhookSecrets;
}

/** auth's contract, fulfilled. */
export function authRouter({
  accounts,
  apiTokens,
  confirmations,
  invitations,
  keptPasskeys,
  links,
  passwordChanges,
  secondFactor,
  sessions,
  signIn,
  signingKeys,
  webhookSecrets,
}: AuthParts): Implementation<typeof authContract> {
  return {
    signIn: (credentials) => signIn.signIn(credentials),
    grantSecondFactor: (given) => signIn.grantSecondFactor(given),
    authenticate: ({ scheme, value }) => (scheme === "token" ? apiTokens.caller(value) : sessions.caller(value)),
    apiToken: async ({ bearer }) => {
      const caller = await sessions.caller(bearer);
      if (!caller.isFullyAuthenticated)
        throw new Refusal("SecondFactorRequired", {
          public: "This account has a second factor: give its code at POST /api/v1/2fa first.",
        });
      return { token: await apiTokens.current(caller.accountId) };
    },
    rotateApiToken: async ({ accountId }) => ({ token: await apiTokens.rotate(accountId) }),
    beginSecondFactor: ({ accountId }) => secondFactor.begin(accountId),
    confirmSecondFactor: async ({ accountId, code }) => ({
      recoveryCodes: await secondFactor.confirm(accountId, code),
    }),
    disableSecondFactor: async ({ accountId, code }) => {
      await secondFactor.disable(accountId, code);
      return {};
    },
    account: ({ id }) => accounts.get(id),
    accounts: ({ ids }) => accounts.find(ids),
    webhookIdentities: ({ accountIds }) => webhookSecrets.identities(accountIds),
    rotateWebhookSecret: async ({ accountId }) => ({ secret: await webhookSecrets.rotate(accountId) }),
    describeConfirmation: ({ token }) => links.describe(token, "confirm"),
    confirmAddress: ({ token }) => confirmations.confirm(token),
    describeReset: ({ token }) => links.describe(token, "reset"),
    resetPassword: ({ token, password }) => passwordChanges.reset(token, password),
    sessions: ({ accountId }) => sessions.list(accountId),
    passkeys: ({ accountId }) => keptPasskeys.list(accountId),
    invite: () => invitations.make(),
    jwks: async () => ({ keys: await signingKeys.jwks() }),
    addAccount: ({ username, password }) => accounts.add({ username, password, isOperatorMade: true }),
    listAccounts: () => accounts.list(),
    disableAccount: ({ username }) => accounts.disable(username),
  };
}
