import { type FormEvent, useState } from "react";
import { Contacts, type ShownContactFragment, UpdateContact } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";

interface RenameContactProps {
  contact: ShownContactFragment;
  isOpen: boolean;
  onClose(): void;
}

export function RenameContact({ contact, isOpen, onClose }: RenameContactProps) {
  const { contacts: t } = useTexts();
  return (
    <Dialog title={t.renameWhat(contact.address)} isOpen={isOpen} onClose={onClose}>
      <NameForm contact={contact} onDone={onClose} />
    </Dialog>
  );
}

function NameForm({ contact, onDone }: { contact: ShownContactFragment; onDone(): void }) {
  const { common, contacts: t } = useTexts();
  const [name, setName] = useState(contact.name);
  const change = useChange(UpdateContact, [Contacts], onDone);
  const faults = useFieldFaults(change.error, "name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ id: contact.id, name: name.trim() });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput label={t.name} hint={t.nameHint} value={name} onChange={setName} error={faults.at("name")} autoFocus />
      <Fault error={faults.rest} />
      <div className="dialog-actions">
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button look="primary" type="submit" isPending={change.isPending}>
          {common.save}
        </Button>
      </div>
    </form>
  );
}
