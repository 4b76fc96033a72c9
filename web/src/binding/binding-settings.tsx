import type { BindingFragment } from "../graph/gen/operations.ts";
import { Fault } from "../parts/notice.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";
import { CallbackSettings } from "./callback-settings.tsx";
import { DescriptionForm } from "./description-form.tsx";
import { RealAddressForm } from "./real-address-form.tsx";
import { RemoveBinding } from "./remove-binding.tsx";
import { useUpdateBinding } from "./use-update-binding.ts";

/** Everything of a binding that can be set. */
export function BindingSettings({ binding }: { binding: BindingFragment }) {
  const { binding: t } = useTexts();
  const update = useUpdateBinding();
  const { id, isBrowsable } = binding;
  const isShown = update.isPending ? (update.variables.input.isBrowsable ?? isBrowsable) : isBrowsable;
  return (
    <div className="stack settings">
      <DescriptionForm binding={binding} />
      <RealAddressForm binding={binding} />
      <div>
        <Toggle isSelected={isShown} onChange={(on) => update.mutate({ id, input: { isBrowsable: on } })}>
          {t.keepCopy}
        </Toggle>
        <p className="hint">{t.keepCopyHint}</p>
        <Fault error={update.error} />
      </div>
      <CallbackSettings binding={binding} />
      <RemoveBinding binding={binding} />
    </div>
  );
}
