import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import type { Operation } from "../graph/operation.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface RemoveThisProps<Variables> {
  texts: { removeThis: string; removeTitle: string; removeAction: string };
  operation: Operation<unknown, Variables>;
  variables: Variables;
  /** The operations whose answers it may change. */
  stale: readonly Operation<unknown, never>[];
  /** Where one is when it is gone; by default where one was. */
  next?: string;
  look?: "danger" | "quiet";
  /** What it means, in plain words. */
  children: ReactNode;
}

/** Removes what the page is about, after saying what that means. */
export function RemoveThis<Variables>({
  texts,
  operation,
  variables,
  stale,
  next,
  look = "danger",
  children,
}: RemoveThisProps<Variables>) {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const removal = useChange(operation, stale, () => next !== undefined && navigate(next));
  return (
    <div>
      <Button look={look} onClick={() => setIsAsking(true)}>
        {texts.removeThis}
      </Button>
      <ConfirmDialog
        title={texts.removeTitle}
        action={texts.removeAction}
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate(variables)}
        onClose={() => setIsAsking(false)}
      >
        {children}
      </ConfirmDialog>
    </div>
  );
}
