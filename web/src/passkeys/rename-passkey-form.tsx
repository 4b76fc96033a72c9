import { type FormEvent, useState } from "react";
import { Passkeys, RenamePasskey } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ListedPasskey } from "./passkey-row.tsx";

export function RenamePasskeyForm({ passkey, onDone }: { passkey: ListedPasskey; onDone(): void }) {
  const { common } = useTexts();
  const [name, setName] = useState(passkey.name);
  const rename = useChange(RenamePasskey, [Passkeys]);
  const faults = useFieldFaults(rename.error, "name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ id: passkey.id, name }, { onSuccess: onDone });
  };
  return (
    <form className="inline-form" onSubmit={submit}>
      <TextInput
        label={common.name}
        value={name}
        onChange={setName}
        error={faults.at("name")}
        required
        autoFocus
        maxLength={64}
      />
      <Button type="submit" isPending={rename.isPending}>
        {common.save}
      </Button>
      <Fault error={faults.rest} />
    </form>
  );
}
