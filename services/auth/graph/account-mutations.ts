import type { Resolvers } from "../../platform/graph/subgraph.ts";
import type { AuthParts } from "../procedures.ts";
import { provenOwner } from "./proof-mutations.ts";
import { callerOf, handOut } from "./sign-in-mutations.ts";

interface NewUser {
  username: string;
  password: string;
  invitation?: string | null;
  session: boolean;
}

/** The mutations of an account's life: its beginning, its passwords, its end. */
export function accountMutations(parts: AuthParts): Resolvers<unknown>[string] {
  const { accountLifecycle, accounts, confirmations, passwordChanges, sessions, signUp } = parts;
  return {
    signUp: async (_source: unknown, { session, ...user }: NewUser, request) => {
      const account = await signUp.signUp({ ...user, clientAddress: request.clientAddress });
      const bearer = await sessions.open(account.id, request.origin, { proof: "given" });
      if (!bearer) throw new Error("an account was gone as soon as it was made");
      request.become(callerOf(account, bearer, session));
      return { ...handOut(request, bearer, session), account };
    },
    resendConfirmation: async (_source: unknown, _args: unknown, { ownerId }) => {
      await confirmations.resend(ownerId);
      return { isSent: true };
    },
    confirmAddress: (_source: unknown, { token }: { token: string }) => confirmations.confirm(token),
    requestPasswordReset: async (_source: unknown, { username }: { username: string }) => {
      await passwordChanges.requestReset(username);
      return { isAccepted: true };
    },
    resetPassword: (_source: unknown, { token, password }: { token: string; password: string }) =>
      passwordChanges.reset(token, password),
    changePassword: async (
      _source: unknown,
      { currentPassword, newPassword }: { currentPassword?: string | null; newPassword: string },
      request,
    ) => {
      await provenOwner(parts, request, currentPassword);
      await passwordChanges.change(request.ownerId, newPassword, request.caller.sessionId);
      return { account: accounts.get(request.ownerId) };
    },
    deleteAccount: async (_source: unknown, { password }: { password?: string | null }, request) => {
      const id = await provenOwner(parts, request, password);
      await accountLifecycle.close(id);
      request.sessionChange = { token: null };
      return { id };
    },
  };
}
