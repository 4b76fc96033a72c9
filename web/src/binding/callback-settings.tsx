import { type FormEvent, useState } from "react";
import { type BindingFragment, TestCallback } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { CallbackAnswer } from "./callback-answer.tsx";
import { useUpdateBinding } from "./use-update-binding.ts";

/** The URL that is called on each new mail, and a test of it. */
export function CallbackSettings({ binding: { id, callbackUrl } }: { binding: BindingFragment }) {
  const { binding: t, common } = useTexts();
  const [url, setUrl] = useState(callbackUrl);
  const update = useUpdateBinding();
  const faults = useFieldFaults(update.error, "callbackUrl");
  const trial = useChange(TestCallback);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    trial.reset();
    update.mutate({ id, input: { callbackUrl: url.trim() } });
  };
  return (
    <fieldset className="stack" aria-label={t.webhook}>
      <form className="inline-form" onSubmit={submit}>
        <TextInput
          label={t.webhookUrl}
          hint={t.webhookUrlHint}
          inputMode="url"
          placeholder="https://"
          value={url}
          onChange={setUrl}
          error={faults.at("callbackUrl")}
        />
        <Button type="submit" isPending={update.isPending} disabled={url.trim() === callbackUrl}>
          {common.save}
        </Button>
      </form>
      <Fault error={faults.rest} />
      {callbackUrl !== "" && (
        <div>
          <Button onClick={() => trial.mutate({ proxyBindingId: id })} isPending={trial.isPending}>
            {t.sendTest}
          </Button>
        </div>
      )}
      <Fault error={trial.error} />
      {trial.data?.testCallback && <CallbackAnswer answer={trial.data.testCallback} />}
    </fieldset>
  );
}
