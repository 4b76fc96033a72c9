import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link, useLocation } from "wouter";
import { SignUp } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { Entrance } from "./entrance.tsx";
import { useEntering } from "./use-entering.ts";

/** @param invitation what an operator gave out, where signing up takes one */
export function SignUpPage({ invitation }: { invitation?: string }) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [, navigate] = useLocation();
  const signUp = useChange(SignUp);
  const enter = useEntering();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = async () => {
      navigate("/", { replace: true });
      await enter();
    };
    signUp.mutate({ username, password, invitation: invitation ?? null }, { onSuccess });
  };
  const foot = (
    <>
      Have an account? <Link href="/">Sign in</Link>
    </>
  );
  return (
    <Entrance title="Make an account" foot={foot}>
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
          Make the account
        </Button>
      </Form>
    </Entrance>
  );
}
