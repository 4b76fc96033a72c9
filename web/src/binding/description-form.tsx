import { type FormEvent, useState } from "react";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { useUpdateBinding } from "./use-update-binding.ts";

export function DescriptionForm({ binding: { id, description } }: { binding: BindingFragment }) {
  const { addresses, common } = useTexts();
  const [text, setText] = useState(description);
  const update = useUpdateBinding();
  const faults = useFieldFaults(update.error, "description");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ id, input: { description: text } });
  };
  return (
    <form className="inline-form" onSubmit={submit}>
      <TextInput
        label={addresses.description}
        hint={addresses.descriptionHint}
        value={text}
        onChange={setText}
        error={faults.at("description")}
      />
      <Button type="submit" isPending={update.isPending} disabled={text === description}>
        {common.save}
      </Button>
      <Fault error={faults.rest} />
    </form>
  );
}
