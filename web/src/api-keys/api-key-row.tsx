import { useState } from "react";
import { ApiKeys, type ListedApiKeyFragment, RevokeApiKey } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";

export function ApiKeyRow({ apiKey }: { apiKey: ListedApiKeyFragment }) {
  const { apiKeys: t } = useTexts();
  const { id, name, scopes, createdAt, lastUsedAt, expiresAt } = apiKey;
  const [isAsking, setIsAsking] = useState(false);
  const revocation = useChange(RevokeApiKey, [ApiKeys]);
  return (
    <li>
      <div>
        <p>{name}</p>
        <p className="hint">{scopes.map((scope) => t.scopes[scope] ?? scope).join(", ")}</p>
        <p className="hint">
          {t.created(<DateTime at={createdAt} />)}
          {lastUsedAt === null ? t.notUsed : t.lastUsed(<DateTime at={lastUsedAt} />)}
          {expiresAt !== null && t.expires(<DateTime at={expiresAt} />)}
        </p>
      </div>
      <Button look="quiet" onClick={() => setIsAsking(true)} aria-label={t.revokeWhat(name)}>
        {t.revoke}
      </Button>
      <ConfirmDialog
        title={t.revokeTitle}
        action={t.revokeAction}
        isOpen={isAsking}
        isPending={revocation.isPending}
        error={revocation.error}
        onConfirm={() => revocation.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <p>{t.revokeLead(<strong>{name}</strong>)}</p>
      </ConfirmDialog>
    </li>
  );
}
