import { type ReactNode, useCallback, useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { useTexts } from "../texts/texts.tsx";
import { type AskForProof, ProofContext } from "./fresh-proof.ts";
import { ProofForm } from "./proof-form.tsx";

/** Asks for the password or a passkey, in a window over whatever page wants it. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const { proof } = useTexts();
  const [answer, setAnswer] = useState<(isProven: boolean) => void>();
  const askForProof = useCallback<AskForProof>(
    () => new Promise((resolve) => setAnswer(() => (isProven: boolean) => resolve(isProven))),
    [],
  );
  const close = (isProven: boolean) => {
    answer?.(isProven);
    setAnswer(undefined);
  };
  return (
    <ProofContext value={askForProof}>
      {children}
      <Dialog title={proof.title} isOpen={answer !== undefined} onClose={() => close(false)}>
        <ProofForm onProven={() => close(true)} onCancel={() => close(false)} />
      </Dialog>
    </ProofContext>
  );
}
