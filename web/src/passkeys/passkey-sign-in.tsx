import { useMutation } from "@tanstack/react-query";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { useEntering } from "../session/use-entering.ts";
import { useDoorTexts } from "../texts/texts.tsx";
import { arePasskeysPossible, signInByPasskey } from "./ceremonies.ts";

/** The way in without a password, where there can be one. */
export function PasskeySignIn() {
  const { session } = useDoorTexts();
  const signIn = useMutation({ mutationFn: signInByPasskey, onSuccess: useEntering() });
  if (!arePasskeysPossible()) return null;
  return (
    <>
      <Button onPress={() => signIn.mutate()} isPending={signIn.isPending}>
        {session.signInWithPasskey}
      </Button>
      <Fault error={signIn.error} />
    </>
  );
}
