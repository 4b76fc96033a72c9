import { useState } from "react";
import { ApiToken, RotateApiToken } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Rotation } from "./rotation.tsx";
import { SecretValue } from "./secret-value.tsx";
import { Section } from "./section.tsx";

/** The token outlives the session: it is read when it is to be shown, which takes a fresh proof. */
export function ApiTokenSection() {
  const { settings: t } = useTexts();
  const [token, setToken] = useState<string>();
  const reading = useChange(ApiToken, [], ({ me }) => setToken(me?.apiToken ?? undefined));
  const rotation = useChange(RotateApiToken, [], ({ rotateApiToken }) => setToken(rotateApiToken?.apiToken));
  const lead = t.apiTokenLead((text) => <a href="/docs">{text}</a>);
  return (
    <Section title={t.apiToken} lead={lead}>
      <Fault error={reading.error} />
      <SecretValue
        secret={token}
        what={t.theApiToken}
        read={(onSuccess) => reading.mutate({}, { onSuccess })}
        isReading={reading.isPending}
      />
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
