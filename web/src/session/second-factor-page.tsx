import { type FormEvent, useState } from "react";
import { ConfirmSecondFactor, SignOut } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { SignedOutLayout } from "./signed-out-layout.tsx";
import { useSessionChange } from "./use-session-change.ts";

/** Between the password and the application, for accounts with a second factor. */
export function SecondFactorPage() {
  const { common, session } = useSignedOutTexts();
  const [code, setCode] = useState("");
  const confirm = useChange(ConfirmSecondFactor);
  const signOut = useChange(SignOut);
  const enter = useSessionChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate({ code: code.trim() }, { onSuccess: enter, onError: () => setCode("") });
  };
  const foot = (
    <Button look="quiet" onClick={() => signOut.mutate({}, { onSettled: enter })}>
      {session.useDifferentAccount}
    </Button>
  );
  return (
    <SignedOutLayout title={session.twoFactor} foot={foot}>
      <form className="stack" onSubmit={submit}>
        <TextInput
          label={common.code}
          hint={common.codeHint}
          name="code"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          required
          autoFocus
        />
        <Fault error={confirm.error} />
        <Button look="primary" type="submit" isPending={confirm.isPending}>
          {common.continue}
        </Button>
      </form>
    </SignedOutLayout>
  );
}
