import { type FormEvent, useState } from "react";
import { realTargets } from "../addresses/forwarding.ts";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";
import { SettingToggle } from "./setting-toggle.tsx";
import { useUpdateBinding } from "./use-update-binding.ts";

/** Whether one can reply from the address, and how. */
export function AnsweringSettings({ binding }: { binding: BindingFragment }) {
  const { answering: t } = useTexts();
  return (
    <>
      <SettingToggle binding={binding} name="answers" label={t.answers} hint={t.answersHint} />
      {binding.answers && (
        <>
          <DisplayNameForm binding={binding} />
          <SettingToggle binding={binding} name="answersStrangers" label={t.strangers} hint={t.strangersHint} />
          <SettingToggle binding={binding} name="sendsEncrypted" label={t.encrypted} hint={t.encryptedHint} />
          {realTargets(binding).map((real) => (
            <SpfToggle key={real.address} binding={binding} address={real.address} isOn={real.spfSuffices} />
          ))}
        </>
      )}
    </>
  );
}

function DisplayNameForm({ binding: { id, displayName } }: { binding: BindingFragment }) {
  const { answering: t, common } = useTexts();
  const [name, setName] = useState(displayName);
  const update = useUpdateBinding();
  const faults = useFieldFaults(update.error, "displayName");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ id, input: { displayName: name.trim() } });
  };
  return (
    <form className="inline-form" onSubmit={submit}>
      <TextInput
        label={t.displayName}
        hint={t.displayNameHint}
        value={name}
        onChange={setName}
        error={faults.at("displayName")}
      />
      <Button type="submit" isPending={update.isPending} disabled={name.trim() === displayName}>
        {common.save}
      </Button>
      <Fault error={faults.rest} />
    </form>
  );
}

interface SpfToggleProps {
  binding: BindingFragment;
  address: string;
  isOn: boolean;
}

function SpfToggle({ binding: { id, realAddresses }, address, isOn }: SpfToggleProps) {
  const { answering: t } = useTexts();
  const update = useUpdateBinding();
  const change = (spfSuffices: boolean) =>
    update.mutate({
      id,
      input: {
        realAddresses: realAddresses.map((each) => ({
          address: each.address,
          isEnabled: each.isEnabled,
          ...(each.address === address ? { spfSuffices } : {}),
        })),
      },
    });
  return (
    <div className="switch-line">
      <Toggle isSelected={update.isPending ? !isOn : isOn} onChange={change} isSaving={update.isPending}>
        {t.spf(address)}
      </Toggle>
      <p className="hint">{t.spfHint}</p>
      <Fault error={update.error} />
    </div>
  );
}
