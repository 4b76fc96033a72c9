import { useState } from "react";
import { useLocation } from "wouter";
import { type BindingFragment, DeleteProxyBinding, Me, ProxyBindings } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Removes a binding, after saying what that means. */
export function RemoveBinding({ binding: { id, proxyAddress } }: { binding: BindingFragment }) {
  const { binding: t } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const removal = useChange(DeleteProxyBinding, [ProxyBindings, Me], () => navigate("/"));
  return (
    <div>
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
        <p>{t.removeLead(<strong className="address">{proxyAddress}</strong>)}</p>
        <p>{t.removeRest}</p>
      </ConfirmDialog>
    </div>
  );
}
