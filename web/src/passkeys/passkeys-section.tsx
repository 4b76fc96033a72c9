import { useState } from "react";
import { Passkeys } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { Section } from "../settings/section.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { arePasskeysPossible } from "./ceremonies.ts";
import { PasskeyRow } from "./passkey-row.tsx";

export function PasskeysSection() {
  const { data, error } = useGraph(Passkeys, {});
  const [isAdding, setIsAdding] = useState(false);
  const passkeys = data?.me?.passkeys ?? [];
  return (
    <Section
      title="Passkeys"
      lead="Sign in by your finger, face or PIN, with neither password nor code. A passkey stays on your devices."
    >
      <Fault error={error} />
      {passkeys.length > 0 && (
        <ul className="rows" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {isAdding && <AddPasskey onDone={() => setIsAdding(false)} />}
      {!isAdding && arePasskeysPossible() && (
        <div>
          <Button onPress={() => setIsAdding(true)}>Add a passkey</Button>
        </div>
      )}
      {!arePasskeysPossible() && (
        <p>
          None can be made here: it takes a browser that has them, and a service that is reached by a name over https.
        </p>
      )}
    </Section>
  );
}
