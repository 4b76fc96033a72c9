import { useRef, useState } from "react";
import { isForwarding } from "../addresses/forwarding.ts";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Fault } from "../parts/notice.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { useTexts } from "../texts/texts.tsx";
import { RealAddressRow } from "./real-address-row.tsx";
import { RefusedMail } from "./refused-mail.tsx";
import { useUpdateBinding } from "./use-update-binding.ts";

/** Where a binding's mail goes: each address can be switched off, and says whether it is verified. */
export function RealAddresses({ binding }: { binding: BindingFragment }) {
  const { binding: t } = useTexts();
  const update = useUpdateBinding();
  const [removed, setRemoved] = useState<string>();
  const part = useRef<HTMLDivElement>(null);
  useKeptFocus(part);
  const { id, realAddresses } = binding;
  const present = realAddresses.map(({ address, isEnabled }) => ({ address, isEnabled }));
  const set = (address: string, isEnabled: boolean) =>
    update.mutate({
      id,
      input: { realAddresses: present.map((each) => (each.address === address ? { address, isEnabled } : each)) },
    });
  const pending = update.isPending ? update.variables.input.realAddresses : undefined;
  return (
    <div className="real-addresses" ref={part}>
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
            onRemove={present.length > 1 ? () => setRemoved(real.address) : undefined}
          />
        ))}
      </ul>
      <RefusedMail binding={binding} />
      <Fault error={update.error} />
      {removed !== undefined && (
        <RealAddressRemoval binding={binding} address={removed} onClose={() => setRemoved(undefined)} />
      )}
    </div>
  );
}

interface RealAddressRemovalProps {
  binding: BindingFragment;
  address: string;
  onClose(): void;
}

/** Says what it means that email is no longer forwarded to an address, and asks. */
function RealAddressRemoval({ binding, address, onClose }: RealAddressRemovalProps) {
  const { binding: t } = useTexts();
  const removal = useUpdateBinding();
  const { id, proxyAddress, realAddresses } = binding;
  const rest = realAddresses.filter((each) => each.address !== address);
  const input = { realAddresses: rest.map((each) => ({ address: each.address, isEnabled: each.isEnabled })) };
  return (
    <ConfirmDialog
      title={t.stopTitle}
      action={t.stopAction}
      isOpen
      isPending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate({ id, input }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {t.stopLead(
          <strong className="address">{proxyAddress}</strong>,
          <strong className="address">{address}</strong>,
        )}
      </p>
      <p>{isForwarding({ realAddresses: rest }) ? t.stopRest : `${t.stopLast} ${t.stopRest}`}</p>
    </ConfirmDialog>
  );
}
