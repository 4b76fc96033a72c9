import { SignOut } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { SignedOutLayout } from "./signed-out-layout.tsx";
import { useSessionChange } from "./use-session-change.ts";

/** Between the password and the application, for accounts with a second factor. */
export function SecondFactorPage() {
  const { session } = useSignedOutTexts();
  const signOut = useChange(SignOut);
  const enter = useSessionChange();
  const foot = (
    <Button look="quiet" onClick={() => signOut.mutate({}, { onSettled: enter })}>
      {session.useDifferentAccount}
    </Button>
  );
  return (
    <SignedOutLayout title={session.twoFactor} foot={foot}>
      <SecondFactorForm onConfirmed={enter} />
    </SignedOutLayout>
  );
}
