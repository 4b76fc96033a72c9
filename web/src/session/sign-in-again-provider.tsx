import { type Query, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { Me } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useTexts } from "../texts/texts.tsx";
import { useAccount } from "./account.tsx";
import { SignInAgainForm } from "./sign-in-again-form.tsx";
import { SignInAgainContext, signedOutKinds } from "./signed-out.ts";
import { useSessionChange } from "./use-session-change.ts";

/**
 * Asks whose session ended to sign in again, over the page as it is: what they typed stays, and what they did is done then. Who signs in as
 * somebody else gets a page of their own.
 */
export function SignInAgainProvider({ children }: { children: ReactNode }) {
  const { proof } = useTexts();
  const client = useQueryClient();
  const { id } = useAccount();
  const owner = useRef(id);
  const { error, refetch } = useGraph(Me, {});
  const isSignedOut = isRefusal(error, ...signedOutKinds);
  const isSomebodyElse = id !== owner.current;
  const waiting = useRef(new Set<(isBack: boolean) => void>());
  const enter = useSessionChange();
  const ask = useCallback(async () => {
    // They may have signed in again elsewhere in the browser.
    const now = await refetch({ cancelRefetch: false });
    if (now.data && now.data.data.me?.id !== owner.current) return false;
    if (!isRefusal(now.error, ...signedOutKinds)) return true;
    return new Promise<boolean>((resolve) => waiting.current.add(resolve));
  }, [refetch]);
  const settle = useCallback((isBack: boolean) => {
    for (const resolve of waiting.current) resolve(isBack);
    waiting.current.clear();
  }, []);
  const leave = useCallback(async () => {
    settle(false);
    await enter();
  }, [settle, enter]);
  useEffect(() => {
    if (isSomebodyElse) void leave();
    else if (!isSignedOut) {
      settle(true);
      const isRefused = ({ state }: Query) => isRefusal(state.error, ...signedOutKinds);
      void client.refetchQueries({ predicate: isRefused });
    }
  }, [isSomebodyElse, isSignedOut, settle, leave, client]);
  return (
    <>
      <SignInAgainContext value={ask}>{children}</SignInAgainContext>
      {/* It closes by a sign-in, or by leaving: behind it is what only its owner may see. */}
      <Dialog title={proof.signInAgain} isOpen={isSignedOut} onClose={() => undefined} look="curtain">
        <SignInAgainForm
          owesSecondFactor={isRefusal(error, "SecondFactorRequired")}
          onSignedIn={async () => void (await refetch())}
          onLeave={leave}
        />
      </Dialog>
    </>
  );
}
