import { type FormEvent, useState } from "react";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault, Notice } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { useUpdateBinding } from "./use-update-binding.ts";

/** Adds a real address to a binding. */
export function RealAddressForm({ binding: { id, realAddresses } }: { binding: BindingFragment }) {
  const { binding: t, common } = useTexts();
  const [address, setAddress] = useState("");
  const update = useUpdateBinding();
  const faults = useFieldFaults(update.error, "realAddresses");
  const present = realAddresses.map((each) => ({ address: each.address, isEnabled: each.isEnabled }));
  const add = (event: FormEvent) => {
    event.preventDefault();
    const input = { realAddresses: [...present, { address: address.trim(), isEnabled: true }] };
    update.mutate({ id, input }, { onSuccess: () => setAddress("") });
  };
  return (
    <div className="stack">
      <form className="inline-form" onSubmit={add}>
        <TextInput
          label={t.forwardToAnother}
          hint={t.forwardToAnotherHint}
          inputMode="email"
          value={address}
          onChange={setAddress}
          error={faults.at("realAddresses")}
          required
        />
        <Button type="submit" isPending={update.isPending}>
          {common.add}
        </Button>
      </form>
      {update.data?.updateProxyBinding?.isVerificationSent && <Notice tone="good">{t.linkOnItsWay}</Notice>}
      <Fault error={faults.rest} />
    </div>
  );
}
