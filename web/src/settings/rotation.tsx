import { type ReactNode, useState } from "react";
import type { GraphRefusal } from "../graph/refusal.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";

interface RotationProps {
  /** "Regenerate token?" */
  title: string;
  /** "Regenerate token" */
  action: string;
  /** What it means. */
  children: ReactNode;
  isPending: boolean;
  error: GraphRefusal | null;
  rotate(onSuccess: () => void): void;
}

/** Makes a new secret in place of one, after saying what that means. */
export function Rotation({ title, action, children, isPending, error, rotate }: RotationProps) {
  const [isAsking, setIsAsking] = useState(false);
  const close = () => setIsAsking(false);
  return (
    <div>
      <Button onClick={() => setIsAsking(true)}>{action}</Button>
      <ConfirmDialog
        title={title}
        action={action}
        isOpen={isAsking}
        isPending={isPending}
        error={error}
        onConfirm={() => rotate(close)}
        onClose={close}
      >
        {children}
      </ConfirmDialog>
    </div>
  );
}
