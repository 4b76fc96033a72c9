import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { SignIn } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { PasskeySignIn } from "../passkeys/passkey-sign-in.tsx";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { Landing } from "./landing.tsx";
import { SignUpLink } from "./sign-up-link.tsx";
import type { accountDeleted } from "./signed-out.ts";
import { SignedOutLayout } from "./signed-out-layout.tsx";
import { useSessionChange } from "./use-session-change.ts";

/** @param isFront whether it is the front page, which says what this is */
export function SignInPage({ isFront = false }: { isFront?: boolean }) {
  const { common, session } = useSignedOutTexts();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useChange(SignIn);
  const enter = useSessionChange();
  const arrival = useHistoryState<Partial<typeof accountDeleted> | null>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ username, password }, { onSuccess: enter });
  };
  return (
    <SignedOutLayout title={session.signIn} foot={<SignUpLink />} {...(isFront ? { beside: <Landing /> } : {})}>
      {arrival?.isAccountDeleted && <Notice tone="good">{session.accountDeleted}</Notice>}
      <form className="stack" onSubmit={submit}>
        <TextInput
          label={session.emailAddress}
          name="username"
          autoComplete="username"
          inputMode="email"
          value={username}
          onChange={setUsername}
          required
          autoFocus
        />
        <PasswordInput label={common.password} name="password" value={password} onChange={setPassword} />
        <Fault error={signIn.error} />
        <Button look="primary" type="submit" isPending={signIn.isPending}>
          {session.signIn}
        </Button>
        <PasskeySignIn onSignedIn={enter} />
        <p className="aside">
          <Link href="/forgotten">{session.forgotPassword}</Link>
        </p>
      </form>
    </SignedOutLayout>
  );
}
