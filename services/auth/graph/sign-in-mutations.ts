import { Refusal } from "../../platform/errors.ts";
import type { GraphCaller } from "../../platform/graph/caller-statement.ts";
import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import type { Resolvers } from "../../platform/graph/subgraph.ts";
import type { Account } from "../accounts/account-row.ts";
import type { AuthComponents } from "../components.ts";
import type { BearerToken } from "../sessions/sessions.ts";
import { provenOwner } from "./proof-mutations.ts";

interface SignInArguments {
  username: string;
  password: string;
  session: boolean;
}

/** The mutations that begin and end a sign-in. */
export function signInMutations(components: AuthComponents): Resolvers<unknown>[string] {
  const { signIn, sessions } = components;
  return {
    signIn: async (_source: unknown, { username, password, session }: SignInArguments, request) => {
      const bearer = await signIn.signIn({ username, password, ...clientOf(request, session) });
      return signedIn(components, bearer, session, request);
    },
    signOut: async (_source: unknown, _args: unknown, request) => {
      const { accountId, sessionId } = request.caller;
      if (sessionId === undefined)
        throw new Refusal("Conflict", { public: "An API token has no session to end; rotateApiToken revokes it." });
      await sessions.revoke(accountId, sessionId);
      request.sessionChange = { token: null };
      return { isSignedOut: true };
    },
    confirmSecondFactor: (_source: unknown, { code }: { code: string }, request) =>
      request.caller.isFullyAuthenticated
        ? confirmSetUp(components, code, request)
        : completeSignIn(components, code, request),
  };
}

/** The result of a sign-in, which also makes its account the request's from here on. */
export async function signedIn(
  { accounts }: AuthComponents,
  bearer: BearerToken,
  asSession: boolean,
  request: GraphRequest,
) {
  const account = await accounts.get(bearer.accountId);
  const caller = callerOfSession(account, bearer, asSession);
  request.become(caller);
  return {
    ...signInResult(request, bearer, asSession),
    isSecondFactorRequired: !caller.isFullyAuthenticated,
    isNewAccount: bearer.isNewAccount,
    account: caller.isFullyAuthenticated ? account : null,
  };
}

async function completeSignIn({ accounts, signIn }: AuthComponents, code: string, request: GraphRequest) {
  const { accountId, sessionId = "", isCookie } = request.caller;
  const bearer = await signIn.completeSession({ accountId, sessionId, code, ...clientOf(request, isCookie) });
  const account = await accounts.get(accountId);
  request.become(callerOfSession(account, bearer, isCookie));
  return { ...signInResult(request, bearer, isCookie), account };
}

async function confirmSetUp(components: AuthComponents, code: string, request: GraphRequest) {
  const { accounts, secondFactor, sessions } = components;
  const owner = await provenOwner(components, request);
  const { accountId, sessionId } = owner;
  const recoveryCodes = await secondFactor.confirm(owner, code);
  // Who has just given a code of it need not give another in the same session.
  if (sessionId !== undefined) await sessions.grantSecondFactor(accountId, sessionId);
  return { recoveryCodes, account: accounts.get(accountId) };
}

/** Only a browser keeps the cookie that it is known by: a program would be remembered by another one at each sign-in. */
export function clientOf({ origin }: GraphRequest, asSession: boolean): GraphRequest["origin"] {
  return asSession ? origin : { ...origin, device: undefined };
}

/** Who has just signed in. */
export function callerOfSession(
  { id, username, hasSecondFactor }: Account,
  bearer: BearerToken,
  isCookie: boolean,
): GraphCaller {
  const isFullyAuthenticated = bearer.isSecondFactorGranted || !hasSecondFactor;
  return { accountId: id, username, isFullyAuthenticated, sessionId: bearer.id, isCookie };
}

/** A browser gets its token as a cookie alone, out of every script's reach; a program gets it as it is. */
export function signInResult(request: GraphRequest, { token, expiresAt }: BearerToken, asSession: boolean) {
  if (asSession) request.sessionChange = { token, expiresAt };
  return { token: asSession ? null : token, expiresAt };
}
