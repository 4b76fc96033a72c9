import { type FormEvent, useState } from "react";
import { ask } from "../graph/ask.ts";
import { type BindingFragment, Contacts, CreateContact, type ShownContactFragment } from "../graph/gen/operations.ts";
import { useInvalidate } from "../graph/use-graph.ts";
import { addressesIn } from "../parts/addresses-in.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { ReverseAddresses } from "./reverse-addresses.tsx";

interface WriteDialogProps {
  binding: BindingFragment;
  isOpen: boolean;
  onClose(): void;
}

/** Gives the reverse addresses of those one wants to write to, for one's own email program. */
export function WriteDialog({ binding, isOpen, onClose }: WriteDialogProps) {
  const { contacts: t } = useTexts();
  return (
    <Dialog title={t.write} isOpen={isOpen} onClose={onClose}>
      <WriteForm binding={binding} onDone={onClose} />
    </Dialog>
  );
}

function WriteForm({ binding, onDone }: { binding: BindingFragment; onDone(): void }) {
  const { common, contacts: t } = useTexts();
  const [text, setText] = useState("");
  const [made, setMade] = useState<readonly ShownContactFragment[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isPending, setIsPending] = useState(false);
  const faults = useFieldFaults(error, "address");
  const invalidate = useInvalidate();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsPending(true);
    setError(null);
    const contacts: ShownContactFragment[] = [];
    try {
      for (const address of addressesIn(text)) {
        const { data } = await ask(CreateContact, { bindingId: binding.id, address, name: null });
        if (data.createContact) contacts.push(data.createContact.contact);
      }
    } catch (failure) {
      setError(failure);
    } finally {
      // Those before one that was refused exist as well.
      setMade(contacts);
      setIsPending(false);
    }
    await invalidate(Contacts);
  };
  if (made.length > 0)
    return <ReverseAddresses from={binding.proxyAddress} contacts={made} error={error} onDone={onDone} />;
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={t.address}
        hint={`${t.addressHint} ${t.several}`}
        inputMode="email"
        value={text}
        onChange={setText}
        error={faults.at("address")}
        required
        autoFocus
      />
      <Fault error={faults.rest} />
      <div className="dialog-actions">
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button look="primary" type="submit" isPending={isPending}>
          {t.create}
        </Button>
      </div>
    </form>
  );
}
