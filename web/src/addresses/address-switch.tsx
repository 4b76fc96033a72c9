import { useUpdateBinding } from "../binding/use-update-binding.ts";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { sentenceOf } from "../graph/refusal.ts";
import { toast } from "../parts/toasts.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";
import { isForwarding, switched } from "./forwarding.ts";

/** Switches a whole address: all that it forwards to. It never shows what was not saved. */
export function AddressSwitch({ binding }: { binding: BindingFragment }) {
  const { addresses: t, errors } = useTexts();
  const update = useUpdateBinding();
  const isOn = isForwarding(binding);
  const isShownOn = update.isPending ? !isOn : isOn;
  const change = (on: boolean) =>
    update.mutate(
      { id: binding.id, input: switched(binding, on) },
      { onError: (error) => toast(sentenceOf(error, errors), "bad") },
    );
  return (
    <Toggle isSelected={isShownOn} onChange={change} aria-label={t.switchOf(binding.proxyAddress)}>
      {null}
    </Toggle>
  );
}
