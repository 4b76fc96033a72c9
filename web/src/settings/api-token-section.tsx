import { ApiToken, RotateApiToken } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Rotation } from "./rotation.tsx";
import { SecretValue } from "./secret-value.tsx";
import { Section } from "./section.tsx";

export function ApiTokenSection() {
  const { settings: t } = useTexts();
  const { data, error } = useGraph(ApiToken, {});
  const rotation = useChange(RotateApiToken, [ApiToken]);
  const token = data?.me?.apiToken;
  const lead = t.apiTokenLead((text) => <a href="/docs">{text}</a>);
  return (
    <Section title={t.apiToken} lead={lead}>
      <Fault error={error} />
      {token && <SecretValue secret={token} what={t.theApiToken} />}
      <Rotation
        title={t.regenerateTokenTitle}
        action={t.regenerateToken}
        isPending={rotation.isPending}
        error={rotation.error}
        rotate={(onSuccess) => rotation.mutate({}, { onSuccess })}
      >
        <p>{t.regenerateTokenLead}</p>
      </Rotation>
    </Section>
  );
}
