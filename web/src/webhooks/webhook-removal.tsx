import { useState } from "react";
import { AccountWebhook, RemoveAccountWebhook } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Removes the account's webhook, after saying what that means: the events that wait for it are lost. */
export function WebhookRemoval() {
  const { webhooks: t } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const removal = useChange(RemoveAccountWebhook, [AccountWebhook]);
  return (
    <>
      <Button look="quiet" onClick={() => setIsAsking(true)}>
        {t.remove}
      </Button>
      <ConfirmDialog
        title={t.removeTitle}
        action={t.removeAction}
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({})}
        onClose={() => setIsAsking(false)}
      >
        <p>{t.removeLead}</p>
      </ConfirmDialog>
    </>
  );
}
