import type { BindingFragment } from "../graph/gen/operations.ts";
import { Fault } from "../parts/notice.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useUpdateBinding } from "./use-update-binding.ts";

interface SettingToggleProps {
  binding: BindingFragment;
  name: "isBrowsable" | "answers" | "answersStrangers" | "sendsEncrypted";
  label: string;
  hint: string;
}

/** A setting that is on or off, saved as it is switched; while it is saved it shows what was asked for, busy. */
export function SettingToggle({ binding, name, label, hint }: SettingToggleProps) {
  const update = useUpdateBinding();
  const isOn = update.isPending ? (update.variables.input[name] ?? binding[name]) : binding[name];
  return (
    <div className="switch-line">
      <Toggle
        isSelected={isOn}
        onChange={(on) => update.mutate({ id: binding.id, input: { [name]: on } })}
        isSaving={update.isPending}
      >
        {label}
      </Toggle>
      <p className="hint">{hint}</p>
      <Fault error={update.error} />
    </div>
  );
}
