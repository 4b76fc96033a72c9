import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Passkeys } from "../graph/gen/operations.ts";
import { useInvalidate } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useFreshProof } from "../proof/fresh-proof.ts";
import { useTexts } from "../texts/texts.tsx";
import { addPasskey } from "./ceremonies.ts";

export function AddPasskey({ onDone }: { onDone(): void }) {
  const { common, passkeys } = useTexts();
  const [name, setName] = useState("");
  const invalidate = useInvalidate();
  const withFreshProof = useFreshProof();
  const addition = useMutation({
    mutationFn: () => addPasskey(name, withFreshProof),
    onSuccess: async () => {
      onDone();
      await invalidate(Passkeys);
    },
  });
  const faults = useFieldFaults(addition.error, "name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    addition.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={common.name}
        hint={passkeys.nameHint}
        value={name}
        onChange={setName}
        error={faults.at("name")}
        required
        autoFocus
        maxLength={64}
      />
      <Fault error={faults.rest} />
      <div className="dialog-actions">
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button look="primary" type="submit" isPending={addition.isPending}>
          {common.continue}
        </Button>
      </div>
    </form>
  );
}
