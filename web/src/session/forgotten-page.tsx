import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { RequestPasswordReset } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { SignedOutLayout } from "./signed-out-layout.tsx";

export function ForgottenPage() {
  const { session } = useSignedOutTexts();
  const [username, setUsername] = useState("");
  const request = useChange(RequestPasswordReset);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate({ username });
  };
  return (
    <SignedOutLayout title={session.chooseNewPassword} foot={<Link href="/">{session.backToSignIn}</Link>}>
      {request.isSuccess ? (
        <Notice tone="good">{session.resetSent(username)}</Notice>
      ) : (
        <form className="stack" onSubmit={submit}>
          <TextInput
            label={session.emailAddress}
            hint={session.resetHint}
            name="username"
            autoComplete="username"
            inputMode="email"
            value={username}
            onChange={setUsername}
            required
            autoFocus
          />
          <Fault error={request.error} />
          <Button look="primary" type="submit" isPending={request.isPending}>
            {session.sendLink}
          </Button>
        </form>
      )}
    </SignedOutLayout>
  );
}
