import { type FormEvent, useState } from "react";
import { ApiKeys, CreateApiKey } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { ToggleGroup } from "../parts/toggle-group.tsx";
import { useTexts } from "../texts/texts.tsx";

interface CreateApiKeyFormProps {
  /** @param key is shown this once */
  onCreated(key: string): void;
  onCancel(): void;
}

/** What a password manager needs is chosen at first. */
const usualScopes = ["alias:create"];

export function CreateApiKeyForm({ onCreated, onCancel }: CreateApiKeyFormProps) {
  const { apiKeys: t, common } = useTexts();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(usualScopes);
  const [expiresOn, setExpiresOn] = useState("");
  const creation = useChange(CreateApiKey, [ApiKeys], ({ createApiKey }) => onCreated(createApiKey?.key ?? ""));
  const faults = useFieldFaults(creation.error, "name", "expiresAt");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The end of that day, where the reader is.
    const expiresAt = expiresOn === "" ? null : new Date(`${expiresOn}T23:59:59`).toISOString();
    creation.mutate({ input: { name, scopes: [...scopes], expiresAt } });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={common.name}
        hint={t.nameHint}
        value={name}
        onChange={setName}
        error={faults.at("name")}
        required
        autoFocus
        maxLength={64}
      />
      <ToggleGroup label={t.mayDo} options={t.scopes} selected={scopes} onChange={setScopes} />
      <TextInput
        label={t.expiry}
        hint={t.expiryHint}
        type="date"
        value={expiresOn}
        onChange={setExpiresOn}
        error={faults.at("expiresAt")}
      />
      <Fault error={faults.rest} />
      <div className="dialog-actions">
        <Button onClick={onCancel}>{common.cancel}</Button>
        <Button look="primary" type="submit" isPending={creation.isPending}>
          {t.create}
        </Button>
      </div>
    </form>
  );
}
