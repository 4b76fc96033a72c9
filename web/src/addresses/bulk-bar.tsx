import { Power, PowerOff, Tag, Trash2, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { BatchProgress } from "../parts/batch-progress.tsx";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { splitLabels } from "./labels.ts";
import { type Chosen, useBulk } from "./use-bulk.ts";

interface BulkBarProps {
  chosen: Chosen;
  /** All that match are selected, whether they were read or not. */
  isAll: boolean;
  /** All that were read are selected, and there are more. */
  more?: { totalCount: number; selectAll(): void };
  onClear(): void;
  /** These are done with: those that failed, and what was selected meanwhile, are not. */
  onDone(ids: readonly string[]): void;
}

/** What can be done with the addresses that are selected. */
export function BulkBar({ chosen, isAll, more, onClear, onDone }: BulkBarProps) {
  const { addresses: t, common } = useTexts();
  const [asked, setAsked] = useState<"label" | "remove">();
  const { progress, stop, turn, label, remove } = useBulk(onDone);
  const isPending = progress !== undefined;
  const answered = (act: () => void) => () => {
    setAsked(undefined);
    act();
  };
  return (
    <section className="bulk" aria-label={t.bulk}>
      <span className="bulk-count" role="status">
        {isAll ? t.selectedAll(chosen.count) : t.selected(chosen.count)}
      </span>
      {more && !isPending && (
        <Button look="quiet" onClick={more.selectAll}>
          {t.selectAllThatMatch(more.totalCount)}
        </Button>
      )}
      <BatchProgress progress={progress} onStop={stop} />
      <Button onClick={() => turn(chosen, true)} isPending={isPending}>
        <Power className="icon" aria-hidden="true" />
        {t.turnOn}
      </Button>
      <Button onClick={() => turn(chosen, false)} isPending={isPending}>
        <PowerOff className="icon" aria-hidden="true" />
        {t.turnOff}
      </Button>
      <Button onClick={() => setAsked("label")} isPending={isPending}>
        <Tag className="icon" aria-hidden="true" />
        {t.addLabel}
      </Button>
      <Button look="danger" onClick={() => setAsked("remove")} isPending={isPending}>
        <Trash2 className="icon" aria-hidden="true" />
        {t.remove}
      </Button>
      <Button look="icon" aria-label={t.clearSelection} onClick={onClear}>
        <X className="icon" aria-hidden="true" />
      </Button>
      <Dialog title={t.addLabel} isOpen={asked === "label"} onClose={() => setAsked(undefined)}>
        <LabelForm isPending={isPending} onLabel={(labels) => answered(() => label(chosen, labels))()} />
      </Dialog>
      <ConfirmDialog
        title={t.removeMany(chosen.count)}
        action={common.remove}
        isOpen={asked === "remove"}
        isPending={isPending}
        error={null}
        onConfirm={answered(() => remove(chosen))}
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
