import { useState } from "react";
import { Passkeys, type PasskeysQuery, RemovePasskey } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";
import { RenamePasskeyForm } from "./rename-passkey-form.tsx";

export type ListedPasskey = NonNullable<NonNullable<PasskeysQuery["me"]>["passkeys"]>[number];

export function PasskeyRow({ passkey }: { passkey: ListedPasskey }) {
  const { common, passkeys: t } = useTexts();
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
          {t.created(<DateTime at={createdAt} />)}
          {lastUsedAt === null ? t.notUsed : t.lastUsed(<DateTime at={lastUsedAt} />)}
          {isBackedUp && t.backedUp}
        </p>
      </div>
      <div className="row-actions">
        <Button look="quiet" onClick={() => setDoing("renaming")} aria-label={t.renameWhat(name)}>
          {common.rename}
        </Button>
        <Button look="quiet" onClick={() => setDoing("removing")} aria-label={t.removeWhat(name)}>
          {common.remove}
        </Button>
      </div>
      <ConfirmDialog
        title={t.removeTitle}
        action={t.removeAction}
        isOpen={doing === "removing"}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={stop}
      >
        <p>{t.removeLead(<strong>{name}</strong>)}</p>
      </ConfirmDialog>
    </li>
  );
}
