import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Passkeys } from "../graph/gen/operations.ts";
import { keyOf } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { addPasskey } from "./ceremonies.ts";

/** Asks for the password first: a page left open for a moment is not to become somebody else's key. */
export function AddPasskey({ onDone }: { onDone(): void }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const client = useQueryClient();
  const addition = useMutation({
    mutationFn: addPasskey,
    onSuccess: async () => {
      onDone();
      await client.invalidateQueries({ queryKey: keyOf(Passkeys) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    addition.mutate({ name, password });
  };
  return (
    <Form className="stack" onSubmit={submit}>
      <TextInput
        label="Name"
        hint="What keeps it: “My phone”."
        value={name}
        onChange={setName}
        isRequired
        autoFocus
        maxLength={64}
      />
      <PasswordInput label="Your password" value={password} onChange={setPassword} />
      <Fault error={addition.error} />
      <div className="dialog-actions">
        <Button onPress={onDone}>Cancel</Button>
        <Button look="primary" type="submit" isPending={addition.isPending}>
          Go on
        </Button>
      </div>
    </Form>
  );
}
