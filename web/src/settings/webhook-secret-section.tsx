import { RotateWebhookSecret, WebhookSecret } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Fault } from "../parts/notice.tsx";
import { Rotation } from "./rotation.tsx";
import { SecretValue } from "./secret-value.tsx";
import { Section } from "./section.tsx";

export function WebhookSecretSection() {
  const { data, error } = useGraph(WebhookSecret, {});
  const rotation = useChange(RotateWebhookSecret, [WebhookSecret]);
  const secret = data?.me?.webhookSecret;
  return (
    <Section
      title="Webhook secret"
      lead="Callbacks are signed with it (Standard Webhooks), so that your server knows they are ours."
    >
      <Fault error={error} />
      {secret && <SecretValue secret={secret} what="the webhook secret" />}
      <Rotation
        action="Make a new secret"
        isPending={rotation.isPending}
        error={rotation.error}
        rotate={(onSuccess) => rotation.mutate({}, { onSuccess })}
      >
        <p>
          For a day, callbacks are signed with both, so that your server can change over. Then the present one is gone.
        </p>
      </Rotation>
    </Section>
  );
}
