import { createContext, useCallback, useContext } from "react";
import { isRefusal } from "../graph/refusal.ts";

/** Has the person prove that it is them; false when they would rather not. */
export type AskForProof = () => Promise<boolean>;

/** Without a provider nobody is asked: the refusal is shown as it is. */
export const ProofContext = createContext<AskForProof>(async () => false);

/**
 * Runs an action; where the server wants a fresh proof for it, asks the person for one and runs it again.
 * @throws GraphRefusal FreshProofRequired when the person gives none
 */
export function useFreshProof(): <T>(action: () => Promise<T>) => Promise<T> {
  const askForProof = useContext(ProofContext);
  return useCallback(
    async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!isRefusal(error, "FreshProofRequired") || !(await askForProof())) throw error;
        return action();
      }
    },
    [askForProof],
  );
}
