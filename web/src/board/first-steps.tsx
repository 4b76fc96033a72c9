import type { BindingFragment } from "../graph/gen/operations.ts";
import { Button } from "../parts/button.tsx";
import { MailToTry } from "../parts/mail-to-try.tsx";
import { useTexts } from "../texts/texts.tsx";

interface FirstStepsProps {
  /** The newest one; absent: there is none yet. */
  binding: BindingFragment | undefined;
  onCreate(): void;
}

/** What to do next, as long as nothing has ever arrived. */
export function FirstSteps({ binding, onCreate }: FirstStepsProps) {
  const { board: t } = useTexts();
  return (
    <section className="card first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{binding ? t.sendFirst : t.first}</h2>
      {binding ? (
        <MailToTry proxyAddress={binding.proxyAddress} />
      ) : (
        <>
          <ol>
            {t.firstSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <Button look="primary" onPress={onCreate}>
            {t.createFirst}
          </Button>
        </>
      )}
    </section>
  );
}
