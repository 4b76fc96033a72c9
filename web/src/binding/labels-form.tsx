import { type FormEvent, useState } from "react";
import { splitLabels } from "../addresses/labels.ts";
import { usePatchedBindings } from "../addresses/use-patched-bindings.ts";
import { type BindingFragment, SetUsedOn } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Where an address is used, in the owner's words. */
export function LabelsForm({ binding: { id, usedOn } }: { binding: BindingFragment }) {
  const { addresses: t, common } = useTexts();
  const [text, setText] = useState(usedOn.join(", "));
  const patch = usePatchedBindings();
  const change = useChange(SetUsedOn, [], ({ setUsedOn }) => {
    if (setUsedOn) patch(setUsedOn.proxyBinding);
  });
  const faults = useFieldFaults(change.error, "usedOn");
  const labels = splitLabels(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ id, usedOn: labels });
  };
  return (
    <form className="inline-form" onSubmit={submit}>
      <TextInput label={t.labels} hint={t.labelsHint} value={text} onChange={setText} error={faults.at("usedOn")} />
      <Button type="submit" isPending={change.isPending} disabled={labels.join() === usedOn.join()}>
        {common.save}
      </Button>
      <Fault error={faults.rest} />
    </form>
  );
}
