import type { Resolvers } from "../../platform/graph/subgraph.ts";
import type { AuthComponents } from "../components.ts";
import { provenOwner } from "./proof-mutations.ts";
import { callerOfSession, clientOf, signInResult } from "./sign-in-mutations.ts";

interface NewUser {
  username: string;
  password: string;
  invitation?: string | null;
}

interface Confirmation {
  token: string;
  password?: string | null;
  session: boolean;
}

interface NewPassword {
  token: string;
  password: string;
  code?: string | null;
}

interface PasswordChange {
  currentPassword?: string | null;
  newPassword: string;
  revokeKeys: boolean;
}

/** The mutations of an account's life: its beginning, its passwords, its end. */
export function accountMutations(components: AuthComponents): Resolvers<unknown>[string] {
  const { accountLifecycle, accounts, confirmations, passwordChanges, signUp } = components;
  return {
    signUp: async (_source: unknown, { username, password, invitation }: NewUser, { clientAddress, language }) => ({
      token: null,
      ...(await signUp.request({ username, password, invitation, clientAddress, language })),
    }),
    resendConfirmation: async (_source: unknown, _args: unknown, { ownerId, language }) => {
      await confirmations.resend(ownerId, language);
      return { isSent: true };
    },
    confirmAddress: async (_source: unknown, { token, password, session }: Confirmation, request) => {
      const client = clientOf(request, session);
      const { username, bearer } = await confirmations.confirm({ token, password: password ?? "", ...client });
      request.become(callerOfSession(await accounts.get(bearer.accountId), bearer, session));
      return { username, ...signInResult(request, bearer, session) };
    },
    requestPasswordReset: async (_source: unknown, { username }: { username: string }, { clientAddress, language }) => {
      await passwordChanges.requestReset(username, clientAddress, language);
      return { isAccepted: true };
    },
    resetPassword: (_source: unknown, given: NewPassword, { clientAddress }) =>
      passwordChanges.reset({ ...given, clientAddress }),
    changePassword: async (_source: unknown, { currentPassword, newPassword, revokeKeys }: PasswordChange, request) => {
      const owner = await provenOwner(components, request, currentPassword);
      await passwordChanges.change(owner, newPassword, revokeKeys ? "revoked" : "kept");
      return { account: accounts.get(owner.accountId) };
    },
    deleteAccount: async (_source: unknown, { password }: { password?: string | null }, request) => {
      const owner = await provenOwner(components, request, password);
      await accountLifecycle.close(owner);
      request.sessionChange = { token: null };
      return { id: owner.accountId };
    },
  };
}
