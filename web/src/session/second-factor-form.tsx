import { type FormEvent, useState } from "react";
import { ConfirmSecondFactor } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useSignedOutTexts } from "../texts/texts.tsx";

/** The code that an account with a second factor owes after its password. */
export function SecondFactorForm({ onConfirmed }: { onConfirmed(): Promise<void> }) {
  const { common } = useSignedOutTexts();
  const [code, setCode] = useState("");
  const confirm = useChange(ConfirmSecondFactor);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate({ code: code.trim() }, { onSuccess: onConfirmed, onError: () => setCode("") });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={common.code}
        hint={common.codeHint}
        name="code"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        required
        autoFocus
      />
      <Fault error={confirm.error} />
      <Button look="primary" type="submit" isPending={confirm.isPending}>
        {common.continue}
      </Button>
    </form>
  );
}
