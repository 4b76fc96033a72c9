import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Passkeys, ProveByPassword } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { arePasskeysPossible, proveByPasskey } from "../passkeys/ceremonies.ts";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";

export function ProofForm({ onProven, onCancel }: { onProven(): void; onCancel(): void }) {
  const { common, proof } = useTexts();
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
    <form className="stack" onSubmit={submit}>
      <p>{proof.lead}</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput label={common.yourPassword} name="password" value={password} onChange={setPassword} autoFocus />
      <Fault error={byPassword.error ?? byPasskey.error} />
      <div className="dialog-actions">
        <Button onClick={onCancel}>{common.cancel}</Button>
        {hasPasskey && (
          <Button onClick={() => byPasskey.mutate()} isPending={byPasskey.isPending}>
            {proof.usePasskey}
          </Button>
        )}
        <Button look="primary" type="submit" isPending={byPassword.isPending}>
          {common.confirm}
        </Button>
      </div>
    </form>
  );
}
