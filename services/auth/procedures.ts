import { Refusal } from "../platform/errors.ts";
import type { Implementation } from "../platform/rpc/contract.ts";
import { authenticate } from "./authentication.ts";
import type { AuthComponents } from "./components.ts";
import type { authContract } from "./contract.ts";

const done = {};

/** @throws Refusal BearerTokenInvalid, SecondFactorRequired */
async function fullyAuthenticated({ sessions }: AuthComponents, bearer: string) {
  const caller = await sessions.caller(bearer);
  if (!caller.isFullyAuthenticated)
    throw new Refusal("SecondFactorRequired", {
      public: "This account has a second factor: give its code at POST /api/v1/2fa first.",
    });
  return caller;
}

/** @throws Refusal BearerTokenInvalid, SecondFactorRequired, FreshProofRequired */
async function proven(components: AuthComponents, bearer: string) {
  const caller = await fullyAuthenticated(components, bearer);
  await components.freshProof.require(caller);
  return caller;
}

/** Implements auth's contract. */
export function authProcedures(components: AuthComponents): Implementation<typeof authContract> {
  const {
    accountLifecycle,
    accountSettings,
    accounts,
    apiKeys,
    apiTokens,
    confirmations,
    credentialsInForce,
    declaredKeys,
    invitations,
    operators,
    passkeyStore,
    passwordChanges,
    secondFactor,
    secondFactorReset,
    sessions,
    signIn,
    signUp,
    signingKeys,
    webhookSecrets,
  } = components;
  return {
    signIn: (credentials) => signIn.signIn(credentials),
    grantSecondFactor: (given) => signIn.grantSecondFactor(given),
    authenticate: (credential) => authenticate(components, credential),
    requireInForce: (credential) => credentialsInForce.require(credential).then(() => done),
    apiKeys: ({ accountId }) => apiKeys.list(accountId),
    putApiKey: (given) => declaredKeys.put(given),
    removeApiKey: (named) => declaredKeys.remove(named).then(() => done),
    provenCaller: ({ bearer }) => proven(components, bearer),
    signUp: (given) => signUp.request(given).then(() => done),
    resendSignUp: (given) => signUp.resend(given).then(() => done),
    endSecondFactor: async ({ bearer, code }) => {
      const owner = await proven(components, bearer);
      if (code === undefined) await secondFactor.disableByFreshSession(owner);
      else await secondFactor.disable(owner, code);
      return done;
    },
    settings: ({ accountId }) => accountSettings.list(accountId),
    changeSettings: ({ accountId, settings }) => accountSettings.change(accountId, settings),
    apiToken: async ({ bearer }) => ({ token: await apiTokens.current(await fullyAuthenticated(components, bearer)) }),
    rotateApiToken: async (account) => ({ token: await apiTokens.rotate(account) }),
    beginSecondFactor: (requester) => secondFactor.begin(requester),
    confirmSecondFactor: async ({ code, ...requester }) => {
      const { accountId, sessionId } = requester;
      const recoveryCodes = await secondFactor.confirm(requester, code);
      if (sessionId !== undefined) await sessions.grantSecondFactor(accountId, sessionId);
      return { recoveryCodes };
    },
    disableSecondFactor: async ({ code, ...account }) => {
      await secondFactor.disable(account, code);
      return {};
    },
    account: ({ id }) => accounts.get(id),
    accounts: ({ ids }) => accounts.find(ids),
    webhookIdentities: ({ accountIds }) => webhookSecrets.identities(accountIds),
    rotateWebhookSecret: async (account) => ({ secret: await webhookSecrets.rotate(account) }),
    describeConfirmation: ({ token }) => confirmations.describe(token),
    confirmAddress: ({ clientAddress = "", ...given }) => confirmations.confirm({ ...given, clientAddress }),
    describeReset: ({ token }) => passwordChanges.describeReset(token),
    resetPassword: (given) => passwordChanges.reset(given),
    sessions: ({ accountId }) => sessions.list(accountId),
    passkeys: ({ accountId }) => passkeyStore.list(accountId),
    invite: () => invitations.make(),
    jwks: async () => ({ keys: await signingKeys.jwks() }),
    addAccount: ({ username, password }) => accounts.add({ username, password }),
    setOperator: ({ username, isOperator }) => operators.setOperator("command", username, isOperator),
    listAccounts: ({ username }) => accounts.list(username),
    disableAccount: ({ username }) => accountLifecycle.disable(username, "command"),
    resetSecondFactor: (asked) => secondFactorReset.reset(asked),
    enableAccount: ({ username }) => accountLifecycle.enable(username, "command"),
  };
}
