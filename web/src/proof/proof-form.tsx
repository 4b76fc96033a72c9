import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Passkeys, ProveByPassword } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { arePasskeysPossible, proveByPasskey } from "../passkeys/ceremonies.ts";
import { useAccount } from "../session/account.tsx";

export function ProofForm({ onProven, onCancel }: { onProven(): void; onCancel(): void }) {
  const { username } = useAccount();
  const [password, setPassword] = useState("");
  const { data } = useGraph(Passkeys, {});
  const byPassword = useChange(ProveByPassword);
  const byPasskey = useMutation({ mutationFn: proveByPasskey, onSuccess: onProven });
  const hasPasskey = arePasskeysPossible() && (data?.me?.passkeys ?? []).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    byPassword.mutate({ password }, { onSuccess: onProven });
  };
  return (
    <Form className="stack" onSubmit={submit}>
      <p>For your security, enter your password to continue. We won't ask again for 10 minutes.</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput label="Your password" name="password" value={password} onChange={setPassword} autoFocus />
      <Fault error={byPassword.error ?? byPasskey.error} />
      <div className="dialog-actions">
        <Button onPress={onCancel}>Cancel</Button>
        {hasPasskey && (
          <Button onPress={() => byPasskey.mutate()} isPending={byPasskey.isPending}>
            Use a passkey
          </Button>
        )}
        <Button look="primary" type="submit" isPending={byPassword.isPending}>
          Confirm
        </Button>
      </div>
    </Form>
  );
}
