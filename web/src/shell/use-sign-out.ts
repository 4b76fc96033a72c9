import { useLocation } from "wouter";
import { SignOut } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { useSessionChange } from "../session/use-session-change.ts";

/** Ends the session, and goes to the front page. */
export function useSignOut(): { signOut(): void; isPending: boolean } {
  const [, navigate] = useLocation();
  const leaving = useChange(SignOut);
  const enter = useSessionChange();
  const onSettled = async () => {
    navigate("/");
    await enter();
  };
  return { signOut: () => leaving.mutate({}, { onSettled }), isPending: leaving.isPending };
}
