import { useState } from "react";
import { useLocation } from "wouter";
import { DeleteRecorder, Recorders } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";

/** Removes a recorder, after saying what that means. */
export function RemoveRecorder({ id }: { id: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const removal = useChange(DeleteRecorder, [Recorders], () => navigate("/recorders"));
  return (
    <>
      <Button look="danger" onPress={() => setIsAsking(true)}>
        Remove this recorder
      </Button>
      <ConfirmDialog
        title="Remove this recorder?"
        action="Remove the recorder"
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <p>Its calls are deleted, and whoever calls its URL from then on is told that there is no such recorder.</p>
      </ConfirmDialog>
    </>
  );
}
