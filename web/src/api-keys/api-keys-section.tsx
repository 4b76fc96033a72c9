import { useState } from "react";
import { ApiKeys } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { Section } from "../settings/section.tsx";
import { useTexts } from "../texts/texts.tsx";
import { ApiKeyRow } from "./api-key-row.tsx";
import { CreateApiKeyForm } from "./create-api-key-form.tsx";

export function ApiKeysSection() {
  const { apiKeys: t } = useTexts();
  const { data, error, refetch } = useGraph(ApiKeys, {});
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<string>();
  const keys = data?.apiKeys ?? [];
  const finish = (key: string) => {
    setIsCreating(false);
    setCreated(key);
  };
  return (
    <Section title={t.title} lead={t.lead}>
      <Fault error={error} onRetry={refetch} />
      {created !== undefined && (
        <Notice tone="good">
          <p>{t.shownOnce}</p>
          <div className="secret">
            <code className="address">{created}</code>
            <CopyButton text={created} what={t.theKey} />
          </div>
        </Notice>
      )}
      {keys.length > 0 && (
        <ul className="rows" aria-label={t.title}>
          {keys.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      {isCreating ? (
        <CreateApiKeyForm onCreated={finish} onCancel={() => setIsCreating(false)} />
      ) : (
        <div>
          <Button onClick={() => setIsCreating(true)}>{t.create}</Button>
        </div>
      )}
    </Section>
  );
}
