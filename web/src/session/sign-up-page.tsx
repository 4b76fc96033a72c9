import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link } from "wouter";
import { SignUp } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { Entrance } from "./entrance.tsx";

/** @param invitation what an operator gave out, where signing up takes one */
export function SignUpPage({ invitation }: { invitation?: string }) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const signUp = useChange(SignUp);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signUp.mutate({ username, password, invitation: invitation ?? null });
  };
  if (signUp.isSuccess) return <CheckYourEmail username={username} onChange={() => signUp.reset()} />;
  const foot = (
    <>
      Have an account? <Link href="/">Sign in</Link>
    </>
  );
  return (
    <Entrance title="Create account" foot={foot}>
      <p className="lead">
        Give each shop and list an address of its own. Mail to it reaches you; your own stays yours.
      </p>
      <Form className="stack" onSubmit={submit}>
        <TextInput
          label="Your email address"
          hint="Mail will be forwarded here. We send a link to confirm that it is yours."
          name="username"
          type="email"
          autoComplete="email"
          value={username}
          onChange={setUsername}
          isRequired
          autoFocus
        />
        <PasswordInput
          label="Password"
          hint="At least 8 characters. A few words in a row are easy to remember."
          name="password"
          isNew
          value={password}
          onChange={setPassword}
        />
        <Fault error={signUp.error} />
        <Button look="primary" type="submit" isPending={signUp.isPending}>
          Create account
        </Button>
      </Form>
    </Entrance>
  );
}

/** The same for an address that has an account: only the mail tells. */
function CheckYourEmail({ username, onChange }: { username: string; onChange(): void }) {
  return (
    <Entrance title="Check your email" foot={<Link href="/">Back to sign in</Link>}>
      <Notice>
        Check your email to continue. We sent a message to <strong>{username}</strong>; open its link within two days.
      </Notice>
      <p className="hint">Nothing there? Look in the spam folder, or check the address.</p>
      <div>
        <Button onPress={onChange}>Use a different address</Button>
      </div>
    </Entrance>
  );
}
