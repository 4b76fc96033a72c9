import { type BindingFragment, ProxyBinding, SwitchProxyBinding } from "../graph/gen/operations.ts";
import { sentenceOf } from "../graph/refusal.ts";
import { useChange } from "../graph/use-graph.ts";
import { toast } from "../parts/toasts.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";
import { isForwarding, realTargets } from "./forwarding.ts";
import { usePatchedBindings } from "./use-patched-bindings.ts";

/** Switches a whole address: all that it forwards to, or on again what was on before. While it is saved it shows what was asked for, busy. */
export function AddressSwitch({ binding }: { binding: BindingFragment }) {
  const { addresses: t, errors } = useTexts();
  const patch = usePatchedBindings();
  const update = useChange(SwitchProxyBinding, [ProxyBinding], ({ switchProxyBinding }) => {
    if (switchProxyBinding) patch(switchProxyBinding.proxyBinding);
  });
  const isOn = isForwarding(binding);
  // One that forwards to nobody is on all the same while it takes email.
  const name = realTargets(binding).length > 0 ? t.switchOf : t.switchOfKept;
  const isShownOn = update.isPending ? !isOn : isOn;
  const change = (on: boolean) =>
    update.mutate({ id: binding.id, isEnabled: on }, { onError: (error) => toast(sentenceOf(error, errors), "bad") });
  return (
    <Toggle
      isSelected={isShownOn}
      onChange={change}
      isSaving={update.isPending}
      aria-label={name(binding.proxyAddress)}
    >
      {null}
    </Toggle>
  );
}
