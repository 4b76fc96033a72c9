import { Power, PowerOff, Tag, Trash2, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { splitLabels } from "./labels.ts";
import { useBulk } from "./use-bulk.ts";

interface BulkBarProps {
  selected: readonly BindingFragment[];
  onClear(): void;
  /** These are done with: those that failed, and what was selected meanwhile, are not. */
  onDone(ids: readonly string[]): void;
}

/** What can be done with the addresses that are selected. */
export function BulkBar({ selected, onClear, onDone }: BulkBarProps) {
  const { addresses: t, common } = useTexts();
  const [asked, setAsked] = useState<"label" | "remove">();
  const { isPending, turn, label, remove } = useBulk((ids) => {
    setAsked(undefined);
    onDone(ids);
  });
  return (
    <section className="bulk" aria-label={t.bulk}>
      <span className="bulk-count" role="status">
        {t.selected(selected.length)}
      </span>
      <Button onClick={() => turn(selected, true)} isPending={isPending}>
        <Power className="icon" aria-hidden="true" />
        {t.turnOn}
      </Button>
      <Button onClick={() => turn(selected, false)} isPending={isPending}>
        <PowerOff className="icon" aria-hidden="true" />
        {t.turnOff}
      </Button>
      <Button onClick={() => setAsked("label")}>
        <Tag className="icon" aria-hidden="true" />
        {t.addLabel}
      </Button>
      <Button look="danger" onClick={() => setAsked("remove")}>
        <Trash2 className="icon" aria-hidden="true" />
        {t.remove}
      </Button>
      <Button look="icon" aria-label={t.clearSelection} onClick={onClear}>
        <X className="icon" aria-hidden="true" />
      </Button>
      <Dialog title={t.addLabel} isOpen={asked === "label"} onClose={() => setAsked(undefined)}>
        <LabelForm isPending={isPending} onLabel={(labels) => label(selected, labels)} />
      </Dialog>
      <ConfirmDialog
        title={t.removeMany(selected.length)}
        action={common.remove}
        isOpen={asked === "remove"}
        isPending={isPending}
        error={null}
        onConfirm={() => remove(selected)}
        onClose={() => setAsked(undefined)}
      >
        <p>{t.removeManyLead}</p>
      </ConfirmDialog>
    </section>
  );
}

function LabelForm({ isPending, onLabel }: { isPending: boolean; onLabel(labels: string[]): void }) {
  const { addresses: t, common } = useTexts();
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onLabel(splitLabels(text));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput label={t.label} hint={t.labelsHint} value={text} onChange={setText} required autoFocus />
      <div className="dialog-actions">
        <Button look="primary" type="submit" isPending={isPending}>
          {common.add}
        </Button>
      </div>
    </form>
  );
}
