import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Passkeys, ProveByPassword } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
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
  const faults = useFieldFaults(byPassword.error, "password");
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
      <PasswordInput
        label={common.yourPassword}
        name="password"
        value={password}
        onChange={setPassword}
        error={faults.at("password")}
        autoFocus
      />
      <Fault error={faults.rest ?? byPasskey.error} />
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
