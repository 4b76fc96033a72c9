import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import { byId, type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { requireOperator } from "../../platform/graph/operator.ts";
import { defineSubgraph, type EntityResolvers, type Resolvers, type Subgraph } from "../../platform/graph/subgraph.ts";
import type { Account } from "../accounts/account-row.ts";
import type { AuthComponents } from "../components.ts";
import type { Session } from "../sessions/sessions.ts";
import { accountMutations } from "./account-mutations.ts";
import { apiKeyMutations } from "./api-key-mutations.ts";
import { operatorResolvers } from "./operator-resolvers.ts";
import { passkeyMutations } from "./passkey-mutations.ts";
import { proofMutations, provenOwner, sessionOwner } from "./proof-mutations.ts";
import { signInMutations } from "./sign-in-mutations.ts";

interface Loaders {
  accounts: Loader<Account>;
}

interface Reference {
  id: string;
}

/** auth's part of the graph, over the same functions as its RPC. An account is shown to itself alone. */
export function authSubgraph(components: AuthComponents, db: Database): Subgraph {
  const operator = operatorResolvers(components);
  return defineSubgraph<Loaders>({
    sdl: new URL("./subgraph.graphql", import.meta.url),
    loaders: (request) => ({
      accounts: loaderOf(
        async () => byId(await components.accounts.find([request.ownerId])),
        () => new Refusal("NotFound", { public: "There is no such account." }),
      ),
    }),
    entities,
    deadEventsOf: { service: "auth", db },
    resolvers: {
      ...operator,
      Query: {
        me: (_source: unknown, _args: unknown, request) => request.loaders.accounts.load(request.ownerId),
        apiKeys: (_source: unknown, _args: unknown, { ownerId }) => components.apiKeys.list(ownerId),
        operator: (_source: unknown, _args: unknown, request) => ({ id: requireOperator(request).accountId }),
        signUpPolicy: () => components.signUp.policy.toUpperCase(),
      },
      Mutation: {
        ...accountMutations(components),
        ...signInMutations(components),
        ...proofMutations(components),
        ...passkeyMutations(components),
        ...credentialMutations(components),
        ...apiKeyMutations(components),
        ...operator["Mutation"],
      },
      Account: accountFields(components),
      Session: { isCurrent: ({ id }: Session, _args: unknown, { caller }) => id === caller.sessionId },
    },
  });
}

const entities: EntityResolvers<Loaders> = {
  Account: ({ id }: Reference, { loaders }) => loaders.accounts.load(id),
};

/** What only the owner may see is checked here again, whatever made the account a part of the answer. */
function accountFields(components: AuthComponents): Resolvers<Loaders>[string] {
  const { passkeyStore, webhookSecrets, sessions } = components;
  return {
    twoFactorEnabled: ({ hasSecondFactor }: Account) => hasSecondFactor,
    apiToken: (account: Account, _args: unknown, request) => apiTokenOf(components, ownId(account, request), request),
    webhookSecret: async (account: Account, _args: unknown, request) =>
      (await webhookSecrets.identities([ownId(account, request)]))[0]?.secrets[0] ?? null,
    sessions: (account: Account, _args: unknown, request) => sessions.list(ownId(account, request)),
    passkeys: (account: Account, _args: unknown, request) => passkeyStore.list(ownId(account, request)),
  };
}

/**
 * The API token outlives the session that reads it, so a session needs a fresh proof even to read it; the first such read makes it.
 * A program reads the token that it came with, and never makes one.
 */
async function apiTokenOf(
  components: AuthComponents,
  accountId: string,
  request: GraphRequest,
): Promise<string | undefined> {
  if (request.caller.sessionId === undefined) return components.apiTokens.existing(accountId);
  return components.apiTokens.current(await provenOwner(components, request));
}

/** @throws Refusal CredentialsMissing, SecondFactorRequired; NotFound for an account of somebody else */
function ownId({ id }: Account, request: GraphRequest): string {
  if (id !== request.ownerId) throw new Refusal("NotFound", { public: "There is no such account." });
  return id;
}

/** What an account's owner does to its credentials. */
function credentialMutations(components: AuthComponents): Resolvers<Loaders>[string] {
  const { accounts, apiTokens, secondFactor, sessions, webhookSecrets } = components;
  return {
    enableTwoFactor: async (_source: unknown, _args: unknown, request) =>
      secondFactor.begin(await provenOwner(components, request)),
    disableTwoFactor: async (_source: unknown, { code }: { code: string }, request) => {
      const owner = await provenOwner(components, request);
      await secondFactor.disable(owner, code);
      return { account: accounts.get(owner.accountId) };
    },
    rotateApiToken: async (_source: unknown, _args: unknown, request) => ({
      apiToken: await apiTokens.rotate(await provenOwner(components, request)),
    }),
    rotateWebhookSecret: async (_source: unknown, _args: unknown, request) => ({
      webhookSecret: await webhookSecrets.rotate(await provenOwner(components, request)),
    }),
    revokeSession: async (_source: unknown, { id }: Reference, request) => {
      await sessions.revoke(sessionOwner(request), id);
      if (id === request.caller.sessionId) request.sessionChange = { token: null };
      return { id };
    },
    revokeOtherSessions: async (_source: unknown, _args: unknown, request) => ({
      count: await sessions.revokeOthers(sessionOwner(request), request.caller.sessionId),
    }),
  };
}
