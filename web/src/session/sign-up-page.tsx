import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { SignUp } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault, Notice } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { SignedOutLayout } from "./signed-out-layout.tsx";

/** @param invitation what an operator gave out, where signing up takes one */
export function SignUpPage({ invitation }: { invitation?: string }) {
  const { common, session } = useSignedOutTexts();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const signUp = useChange(SignUp);
  const faults = useFieldFaults(signUp.error, "username", "password");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signUp.mutate({ username, password, invitation: invitation ?? null });
  };
  if (signUp.isSuccess) return <CheckYourEmail username={username} onChange={() => signUp.reset()} />;
  const foot = (
    <>
      {session.haveAccount} <Link href="/">{session.signIn}</Link>
    </>
  );
  return (
    <SignedOutLayout title={session.createAccount} foot={foot}>
      <p className="lead">{session.signUpLead}</p>
      <form className="stack" onSubmit={submit}>
        <TextInput
          label={session.yourEmailAddress}
          hint={session.yourEmailAddressHint}
          name="username"
          type="email"
          autoComplete="email"
          value={username}
          onChange={setUsername}
          error={faults.at("username")}
          required
          autoFocus
        />
        <PasswordInput
          label={common.password}
          hint={session.passwordHint}
          name="password"
          isNew
          value={password}
          onChange={setPassword}
          error={faults.at("password")}
        />
        <Fault error={faults.rest} />
        <Button look="primary" type="submit" isPending={signUp.isPending}>
          {session.createAccount}
        </Button>
      </form>
    </SignedOutLayout>
  );
}

/** The same for an address that has an account: only the mail tells. */
function CheckYourEmail({ username, onChange }: { username: string; onChange(): void }) {
  const { session } = useSignedOutTexts();
  return (
    <SignedOutLayout title={session.checkYourEmail} foot={<Link href="/">{session.backToSignIn}</Link>}>
      <Notice>{session.checkYourEmailLead(<strong>{username}</strong>)}</Notice>
      <p className="hint">{session.checkSpam}</p>
      <div>
        <Button onClick={onChange}>{session.useDifferentAddress}</Button>
      </div>
    </SignedOutLayout>
  );
}
