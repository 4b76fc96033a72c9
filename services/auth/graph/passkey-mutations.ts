import type { Resolvers } from "../../platform/graph/subgraph.ts";
import type { AuthComponents } from "../components.ts";
import { provenOwner } from "./proof-mutations.ts";
import { clientOf, signedIn } from "./sign-in-mutations.ts";

interface SignInAnswer {
  responseJson: string;
  session: boolean;
}

interface RegistrationAnswer {
  responseJson: string;
  name: string;
}

/** The mutations of passkeys: an account's own, and signing in by one. */
export function passkeyMutations(components: AuthComponents): Resolvers<unknown>[string] {
  const { accounts, passkeyStore, passkeys, signIn } = components;
  return {
    beginPasskeySignIn: async (_source: unknown, _args: unknown, { clientAddress }) => ({
      optionsJson: await signIn.beginWithPasskey(clientAddress),
    }),
    finishPasskeySignIn: async (_source: unknown, { responseJson, session }: SignInAnswer, request) => {
      const bearer = await signIn.signInWithPasskey(responseJson, clientOf(request, session));
      return signedIn(components, bearer, session, request);
    },
    beginPasskeyRegistration: async (_source: unknown, { password }: { password?: string | null }, request) => {
      const { accountId } = await provenOwner(components, request, password);
      const account = await accounts.get(accountId);
      return { optionsJson: await passkeys.beginRegistration(account) };
    },
    finishPasskeyRegistration: async (_source: unknown, answer: RegistrationAnswer, request) => {
      const owner = await provenOwner(components, request);
      return { passkey: await passkeys.finishRegistration(owner, answer.responseJson, answer.name) };
    },
    renamePasskey: async (_source: unknown, { id, name }: { id: string; name: string }, { ownerId }) => ({
      passkey: await passkeyStore.rename(ownerId, id, name),
    }),
    removePasskey: async (_source: unknown, { id }: { id: string }, request) => {
      await passkeyStore.remove(await provenOwner(components, request), id);
      return { id };
    },
  };
}
