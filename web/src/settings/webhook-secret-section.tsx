import { RotateWebhookSecret, WebhookSecret } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Rotation } from "./rotation.tsx";
import { SecretValue } from "./secret-value.tsx";
import { Section } from "./section.tsx";

export function WebhookSecretSection() {
  const { settings: t } = useTexts();
  const { data, error } = useGraph(WebhookSecret, {});
  const rotation = useChange(RotateWebhookSecret, [WebhookSecret]);
  const secret = data?.me?.webhookSecret;
  return (
    <Section title={t.webhookSecret} lead={t.webhookSecretLead}>
      <Fault error={error} />
      {secret && <SecretValue secret={secret} what={t.theWebhookSecret} />}
      <Rotation
        title={t.regenerateSecretTitle}
        action={t.regenerateSecret}
        isPending={rotation.isPending}
        error={rotation.error}
        rotate={(onSuccess) => rotation.mutate({}, { onSuccess })}
      >
        <p>{t.regenerateSecretLead}</p>
      </Rotation>
    </Section>
  );
}
