import type { ReactNode } from "react";
import type { GraphRefusal } from "../graph/refusal.ts";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Fault } from "./notice.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What it means, in plain words. */
  children: ReactNode;
  /** What the button does: "Remove the address". */
  action: string;
  isOpen: boolean;
  isPending: boolean;
  error: GraphRefusal | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { common } = useTexts();
  const { title, children, action, isOpen, isPending, error, onConfirm, onClose } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} isAlert>
      {children}
      <Fault error={error} />
      <div className="dialog-actions">
        <Button onClick={onClose} autoFocus>
          {common.cancel}
        </Button>
        <Button look="danger" onClick={onConfirm} isPending={isPending}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
