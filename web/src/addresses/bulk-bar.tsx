import { Power, PowerOff, Tag, Trash2, X } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { BatchProgress } from "../parts/batch-progress.tsx";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useHandedOnFocus } from "../parts/use-handed-on-focus.ts";
import { useTexts } from "../texts/texts.tsx";
import { splitLabels } from "./labels.ts";
import type { Bulk, Chosen } from "./use-bulk.ts";

interface BulkBarProps {
  bulk: Bulk;
  chosen: Chosen;
  /** All that match are selected, whether they were read or not. */
  isAll: boolean;
  /** All that were read are selected, and there are more. */
  more?: { totalCount: number; selectAll(): void };
  onClear(): void;
}

/** What can be done with the addresses that are selected. */
export function BulkBar({ bulk: { progress, stop, turn, label, remove }, chosen, isAll, more, onClear }: BulkBarProps) {
  const { addresses: t, common } = useTexts();
  const [asked, setAsked] = useState<"label" | "remove">();
  const isPending = progress !== undefined;
  const bar = useRef<HTMLElement>(null);
  useHandedOnFocus(bar);
  const close = () => setAsked(undefined);
  return (
    <section ref={bar} className="bulk" aria-label={t.bulk}>
      <span className="bulk-count" role="status">
        {isAll ? t.selectedAll(chosen.count) : t.selected(chosen.count)}
      </span>
      {more && !isPending && (
        <Button look="quiet" onClick={more.selectAll}>
          {t.selectAllThatMatch(more.totalCount)}
        </Button>
      )}
      {progress && <BatchProgress progress={progress} onStop={stop} />}
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
      <Button look="icon" aria-label={t.clearSelection} onClick={onClear} isPending={isPending}>
        <X className="icon" aria-hidden="true" />
      </Button>
      <Dialog title={t.addLabel} isOpen={asked === "label"} onClose={close}>
        <LabelForm
          onLabel={(labels) => {
            close();
            void label(chosen, labels);
          }}
        />
      </Dialog>
      <ConfirmDialog
        title={t.removeMany(chosen.count)}
        action={common.remove}
        isOpen={asked === "remove"}
        isPending={false}
        error={null}
        onConfirm={() => {
          close();
          void remove(chosen);
        }}
        onClose={close}
      >
        <p>{t.removeManyLead}</p>
      </ConfirmDialog>
    </section>
  );
}

function LabelForm({ onLabel }: { onLabel(labels: string[]): void }) {
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
        <Button look="primary" type="submit">
          {common.add}
        </Button>
      </div>
    </form>
  );
}
