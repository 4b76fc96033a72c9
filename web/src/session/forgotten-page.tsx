import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link } from "wouter";
import { RequestPasswordReset } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { Entrance } from "./entrance.tsx";

export function ForgottenPage() {
  const [username, setUsername] = useState("");
  const request = useChange(RequestPasswordReset);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate({ username });
  };
  return (
    <Entrance title="Choose a new password" foot={<Link href="/">Back to signing in</Link>}>
      {request.isSuccess ? (
        <Notice tone="good">
          If there is such an account, a link to choose a new password is on its way to {username}.
        </Notice>
      ) : (
        <Form className="stack" onSubmit={submit}>
          <TextInput
            label="Email address"
            hint="The one that you signed up with: a link is sent there."
            name="username"
            autoComplete="username"
            inputMode="email"
            value={username}
            onChange={setUsername}
            isRequired
            autoFocus
          />
          <Fault error={request.error} />
          <Button look="primary" type="submit" isPending={request.isPending}>
            Send the link
          </Button>
        </Form>
      )}
    </Entrance>
  );
}
