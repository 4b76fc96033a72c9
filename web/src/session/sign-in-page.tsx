import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link } from "wouter";
import { SignIn } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { PasskeySignIn } from "../passkeys/passkey-sign-in.tsx";
import { useDoorTexts } from "../texts/texts.tsx";
import { Entrance } from "./entrance.tsx";
import { Landing } from "./landing.tsx";
import { Newcomers } from "./newcomers.tsx";
import { useEntering } from "./use-entering.ts";

/** @param isFront whether it is the front page, which says what this is */
export function SignInPage({ isFront = false }: { isFront?: boolean }) {
  const { common, session } = useDoorTexts();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useChange(SignIn);
  const enter = useEntering();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ username, password }, { onSuccess: enter });
  };
  return (
    <Entrance title={session.signIn} foot={<Newcomers />} {...(isFront ? { beside: <Landing /> } : {})}>
      <Form className="stack" onSubmit={submit}>
        <TextInput
          label={session.emailAddress}
          name="username"
          autoComplete="username"
          inputMode="email"
          value={username}
          onChange={setUsername}
          isRequired
          autoFocus
        />
        <PasswordInput label={common.password} name="password" value={password} onChange={setPassword} />
        <Fault error={signIn.error} />
        <Button look="primary" type="submit" isPending={signIn.isPending}>
          {session.signIn}
        </Button>
        <PasskeySignIn />
        <p className="aside">
          <Link href="/forgotten">{session.forgotPassword}</Link>
        </p>
      </Form>
    </Entrance>
  );
}
