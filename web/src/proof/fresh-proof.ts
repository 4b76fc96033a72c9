import { createContext, useCallback, useContext } from "react";
import { isRefusal } from "../graph/refusal.ts";
import { SignInAgainContext, signedOutKinds } from "../session/signed-out.ts";

/** Has the person prove that it is them; false when they would rather not. */
export type AskForProof = () => Promise<boolean>;

/** Without a provider nobody is asked: the refusal is shown as it is. */
export const ProofContext = createContext<AskForProof>(async () => false);

/**
 * Runs an action; where the server wants a sign-in or a fresh proof for it, asks the person for that and runs it again.
 * @throws GraphRefusal of a kind in `signedOutKinds`, or FreshProofRequired, when the person gives none
 */
export function useFreshProof(): <T>(action: () => Promise<T>) => Promise<T> {
  const askForProof = useContext(ProofContext);
  const askToSignIn = useContext(SignInAgainContext);
  return useCallback(
    (action) => asking(() => asking(action, signedOutKinds, askToSignIn), ["FreshProofRequired"], askForProof),
    [askForProof, askToSignIn],
  );
}

/** Runs an action, and once more if the person gave what its refusal, of such a kind, asks for. */
async function asking<T>(action: () => Promise<T>, kinds: readonly string[], ask: () => Promise<boolean>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isRefusal(error, ...kinds) || !(await ask())) throw error;
    return action();
  }
}
