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

/** A setting that is on or off, saved as it is switched; it never shows what was not saved. */
export function SettingToggle({ binding, name, label, hint }: SettingToggleProps) {
  const update = useUpdateBinding();
  const isOn = update.isPending ? (update.variables.input[name] ?? binding[name]) : binding[name];
  return (
    <div className="switch-line">
      <Toggle isSelected={isOn} onChange={(on) => update.mutate({ id: binding.id, input: { [name]: on } })}>
        {label}
      </Toggle>
      <p className="hint">{hint}</p>
      <Fault error={update.error} />
    </div>
  );
}
