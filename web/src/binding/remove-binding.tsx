import { useState } from "react";
import { useLocation } from "wouter";
import { type BindingFragment, DeleteProxyBinding, Me, ProxyBindings } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";

/** Removes a binding, after saying what that means. */
export function RemoveBinding({ binding: { id, proxyAddress } }: { binding: BindingFragment }) {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const removal = useChange(DeleteProxyBinding, [ProxyBindings, Me], () => navigate("/"));
  return (
    <div>
      <Button look="danger" onPress={() => setIsAsking(true)}>
        Remove this address
      </Button>
      <ConfirmDialog
        title="Remove this address?"
        action="Remove the address"
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <p>
          From now on, mail to <strong className="address">{proxyAddress}</strong> is turned away: whoever writes to it
          is told that there is no such address.
        </p>
        <p>The mail that was kept for it is deleted. Nobody else will ever get this address; you can make it again.</p>
      </ConfirmDialog>
    </div>
  );
}
