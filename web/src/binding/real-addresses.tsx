import type { BindingFragment } from "../graph/gen/operations.ts";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { RealAddressRow } from "./real-address-row.tsx";
import { RefusedMail } from "./refused-mail.tsx";
import { useUpdateBinding } from "./use-update-binding.ts";

/** Where a binding's mail goes: each address can be switched off, and says whether it is verified. */
export function RealAddresses({ binding }: { binding: BindingFragment }) {
  const { binding: t } = useTexts();
  const update = useUpdateBinding();
  const { id, realAddresses } = binding;
  const present = realAddresses.map(({ address, isEnabled }) => ({ address, isEnabled }));
  const change = (changed: typeof present) => update.mutate({ id, input: { realAddresses: changed } });
  const set = (address: string, isEnabled: boolean) =>
    change(present.map((each) => (each.address === address ? { address, isEnabled } : each)));
  const remove = (gone: string) => change(present.filter(({ address }) => address !== gone));
  const pending = update.isPending ? update.variables.input.realAddresses : undefined;
  return (
    <div className="real-addresses">
      <p className="label" id={`goes-to-${id}`}>
        {t.forwardsTo}
      </p>
      <ul aria-labelledby={`goes-to-${id}`}>
        {realAddresses.map((real) => (
          <RealAddressRow
            key={real.address}
            bindingId={id}
            real={real}
            isEnabled={pending?.find((each) => each.address === real.address)?.isEnabled ?? real.isEnabled}
            onEnabledChange={(isEnabled) => set(real.address, isEnabled)}
            isSaving={update.isPending}
            onRemove={present.length > 1 ? () => remove(real.address) : undefined}
          />
        ))}
      </ul>
      <RefusedMail binding={binding} />
      <Fault error={update.error} />
    </div>
  );
}
