import { Refusal } from "../platform/errors.ts";
import type { Implementation } from "../platform/rpc/contract.ts";
import type { AccountLifecycle } from "./accounts/account-lifecycle.ts";
import type { AccountLinks } from "./accounts/account-links.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Confirmations } from "./accounts/confirmations.ts";
import type { Invitations } from "./accounts/invitations.ts";
import type { PasswordChanges } from "./accounts/password-changes.ts";
import type { SignUp } from "./accounts/sign-up.ts";
import type { authContract } from "./contract.ts";
import type { PasskeyStore } from "./passkeys/passkey-store.ts";
import type { Passkeys } from "./passkeys/passkeys.ts";
import type { SecondFactor } from "./second-factor/second-factor.ts";
import type { FreshProof } from "./sessions/fresh-proof.ts";
import type { Sessions } from "./sessions/sessions.ts";
import type { SignIn } from "./sessions/sign-in.ts";
import type { ApiTokens } from "./tokens/api-tokens.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";
import type { WebhookSecrets } from "./tokens/webhook-secrets.ts";

/** What auth is made of, for its RPC and its part of the graph. */
export interface AuthParts {
  accountLifecycle: AccountLifecycle;
  accounts: Accounts;
  apiTokens: ApiTokens;
  confirmations: Confirmations;
  freshProof: FreshProof;
  invitations: Invitations;
  passkeyStore: PasskeyStore;
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
export function authProcedures({
  accountLifecycle,
  accounts,
  apiTokens,
  confirmations,
  invitations,
  passkeyStore,
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
    passkeys: ({ accountId }) => passkeyStore.list(accountId),
    invite: () => invitations.make(),
    jwks: async () => ({ keys: await signingKeys.jwks() }),
    addAccount: ({ username, password }) => accounts.add({ username, password, isOperatorMade: true }),
    listAccounts: () => accounts.list(),
    disableAccount: ({ username }) => accountLifecycle.disable(username),
    enableAccount: ({ username }) => accountLifecycle.enable(username),
  };
}
