import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import type { Operation } from "../graph/operation.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface RemoveThisProps {
  texts: { removeThis: string; removeTitle: string; removeAction: string };
  id: string;
  operation: Operation<unknown, { id: string }>;
  /** The operations whose answers it may change. */
  stale: readonly Operation<unknown, never>[];
  /** Where one is when it is gone. */
  next: string;
  /** What it means, in plain words. */
  children: ReactNode;
}

/** Removes what the page is about, after saying what that means. */
export function RemoveThis({ texts, id, operation, stale, next, children }: RemoveThisProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const removal = useChange(operation, stale, () => navigate(next));
  return (
    <div>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {texts.removeThis}
      </Button>
      <ConfirmDialog
        title={texts.removeTitle}
        action={texts.removeAction}
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        {children}
      </ConfirmDialog>
    </div>
  );
}
