import { useState } from "react";
import { Passkeys, type PasskeysQuery, RemovePasskey } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Moment } from "../parts/moment.tsx";
import { RenamePasskeyForm } from "./rename-passkey-form.tsx";

export type ListedPasskey = NonNullable<NonNullable<PasskeysQuery["me"]>["passkeys"]>[number];

export function PasskeyRow({ passkey }: { passkey: ListedPasskey }) {
  const { id, name, isBackedUp, createdAt, lastUsedAt } = passkey;
  const [doing, setDoing] = useState<"renaming" | "removing">();
  const removal = useChange(RemovePasskey, [Passkeys]);
  const stop = () => setDoing(undefined);
  if (doing === "renaming")
    return (
      <li>
        <RenamePasskeyForm passkey={passkey} onDone={stop} />
      </li>
    );
  return (
    <li>
      <div>
        <p>{name}</p>
        <p className="hint">
          Since <Moment at={createdAt} />
          {lastUsedAt === null ? "; not used yet" : "; last used "}
          {lastUsedAt !== null && <Moment at={lastUsedAt} />}
          {isBackedUp && "; kept by several of your devices"}
        </p>
      </div>
      <div className="row-actions">
        <Button look="quiet" onPress={() => setDoing("renaming")} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button look="quiet" onPress={() => setDoing("removing")} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
      <ConfirmDialog
        title="Remove this passkey?"
        action="Remove the passkey"
        isOpen={doing === "removing"}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={stop}
      >
        <p>
          <strong>{name}</strong> signs nobody in from now on. Your device still keeps it: remove it there as well. Who
          is signed in by it stays so; sessions are ended under “Sessions”.
        </p>
      </ConfirmDialog>
    </li>
  );
}
