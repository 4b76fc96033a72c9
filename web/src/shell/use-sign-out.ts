import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { ask } from "../graph/ask.ts";
import { SignOut } from "../graph/gen/operations.ts";
import { tellOtherTabs } from "../graph/other-tabs.ts";
import { useSessionChange } from "../session/use-session-change.ts";

/** Ends the session, and goes to the front page. */
export function useSignOut(): { signOut(): void; isPending: boolean } {
  const [, navigate] = useLocation();
  const enter = useSessionChange();
  const onSettled = async () => {
    tellOtherTabs("signed-out");
    navigate("/");
    await enter();
  };
  // Whose session has ended is not asked to sign in for it.
  const leaving = useMutation({ mutationFn: () => ask(SignOut, {}), onSettled });
  return { signOut: () => leaving.mutate(), isPending: leaving.isPending };
}
