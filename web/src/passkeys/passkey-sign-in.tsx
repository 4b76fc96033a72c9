import { useMutation } from "@tanstack/react-query";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { arePasskeysPossible, signInByPasskey } from "./ceremonies.ts";

/** The way in without a password, where there can be one. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  const { session } = useSignedOutTexts();
  const signIn = useMutation({ mutationFn: signInByPasskey, onSuccess: onSignedIn });
  if (!arePasskeysPossible()) return null;
  return (
    <>
      <Button onClick={() => signIn.mutate()} isPending={signIn.isPending}>
        {session.signInWithPasskey}
      </Button>
      <Fault error={signIn.error} />
    </>
  );
}
