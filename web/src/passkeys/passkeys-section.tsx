import { useState } from "react";
import { Passkeys } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { Section } from "../settings/section.tsx";
import { useTexts } from "../texts/texts.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { arePasskeysPossible } from "./ceremonies.ts";
import { PasskeyRow } from "./passkey-row.tsx";

export function PasskeysSection() {
  const { passkeys: t } = useTexts();
  const { data, error } = useGraph(Passkeys, {});
  const [isAdding, setIsAdding] = useState(false);
  const passkeys = data?.me?.passkeys ?? [];
  return (
    <Section title={t.title} lead={t.lead}>
      <Fault error={error} />
      {passkeys.length > 0 && (
        <ul className="rows" aria-label={t.title}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {isAdding && <AddPasskey onDone={() => setIsAdding(false)} />}
      {!isAdding && arePasskeysPossible() && (
        <div>
          <Button onClick={() => setIsAdding(true)}>{t.add}</Button>
        </div>
      )}
      {!arePasskeysPossible() && <p>{t.impossible}</p>}
    </Section>
  );
}
