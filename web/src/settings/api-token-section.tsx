import { ApiToken, RotateApiToken } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Fault } from "../parts/notice.tsx";
import { Rotation } from "./rotation.tsx";
import { SecretValue } from "./secret-value.tsx";
import { Section } from "./section.tsx";

export function ApiTokenSection() {
  const { data, error } = useGraph(ApiToken, {});
  const rotation = useChange(RotateApiToken, [ApiToken]);
  const token = data?.me?.apiToken;
  const lead = (
    <>
      For your own programs, in the <code>Token</code> header. <a href="/docs">How to use the API</a>
    </>
  );
  return (
    <Section title="API token" lead={lead}>
      <Fault error={error} />
      {token && <SecretValue secret={token} what="the API token" />}
      <Rotation
        action="Make a new token"
        isPending={rotation.isPending}
        error={rotation.error}
        rotate={(onSuccess) => rotation.mutate({}, { onSuccess })}
      >
        <p>Programs that use the present one are turned away from that moment on, until they have the new one.</p>
      </Rotation>
    </Section>
  );
}
