import { type FormEvent, useState } from "react";
import { SignIn } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { PasskeySignIn } from "../passkeys/passkey-sign-in.tsx";
import { useTexts } from "../texts/texts.tsx";
import { useAccount } from "./account.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";

interface SignInAgainFormProps {
  owesSecondFactor: boolean;
  onSignedIn(): Promise<void>;
  onLeave(): void;
}

/** The ways that the sign-in page offers, for the account whose session ended. */
export function SignInAgainForm({ owesSecondFactor, onSignedIn, onLeave }: SignInAgainFormProps) {
  const { proof, session } = useTexts();
  return (
    <>
      <p>{proof.sessionEnded}</p>
      {owesSecondFactor ? <SecondFactorForm onConfirmed={onSignedIn} /> : <PasswordForm onSignedIn={onSignedIn} />}
      <Button look="quiet" onClick={onLeave}>
        {session.useDifferentAccount}
      </Button>
    </>
  );
}

function PasswordForm({ onSignedIn }: Pick<SignInAgainFormProps, "onSignedIn">) {
  const { common, session } = useTexts();
  const { username } = useAccount();
  const [password, setPassword] = useState("");
  const signIn = useChange(SignIn);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ username, password }, { onSuccess: onSignedIn });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="address">{username}</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput label={common.password} name="password" value={password} onChange={setPassword} autoFocus />
      <Fault error={signIn.error} />
      <Button look="primary" type="submit" isPending={signIn.isPending}>
        {session.signIn}
      </Button>
      <PasskeySignIn onSignedIn={onSignedIn} />
    </form>
  );
}
