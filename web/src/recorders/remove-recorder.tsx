import { useState } from "react";
import { useLocation } from "wouter";
import { DeleteRecorder, Recorders } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Removes a recorder, after saying what that means. */
export function RemoveRecorder({ id }: { id: string }) {
  const { testEndpoints: t } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const removal = useChange(DeleteRecorder, [Recorders], () => navigate("/recorders"));
  return (
    <>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t.removeThis}
      </Button>
      <ConfirmDialog
        title={t.removeTitle}
        action={t.removeAction}
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <p>{t.removeLead}</p>
      </ConfirmDialog>
    </>
  );
}
