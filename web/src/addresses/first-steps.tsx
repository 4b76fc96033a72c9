import { Check, Circle, X } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { Button } from "../parts/button.tsx";
import { MailToTry } from "../parts/mail-to-try.tsx";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";
import { areStepsDismissed, dismissSteps, hasReadEmail } from "./first-steps-memory.ts";

interface FirstStepsProps {
  /** The newest first. */
  bindings: readonly BindingFragment[];
  onCreate(): void;
}

const steps = ["confirm", "create", "send", "read", "webhook"] as const;
type Step = (typeof steps)[number];

/** What to do next, until the first email was read: each step with whether it is done. */
export function FirstSteps({ bindings, onCreate }: FirstStepsProps) {
  const { addresses: t, common } = useTexts();
  const { isUsernameVerified } = useAccount();
  const [isDismissed, setIsDismissed] = useState(areStepsDismissed);
  const done: Record<Step, boolean> = {
    confirm: isUsernameVerified,
    create: bindings.length > 0,
    send: bindings.some(({ receivedEmails }) => receivedEmails > 0),
    read: hasReadEmail(),
    webhook: bindings.some(({ callbackUrl }) => callbackUrl !== ""),
  };
  const next = (["create", "send", "read", "webhook"] as const).find((step) => !done[step]);
  if (isDismissed || next === undefined) return null;
  const dismiss = () => {
    dismissSteps();
    setIsDismissed(true);
  };
  return (
    <section className="card first-steps" aria-labelledby="first-steps">
      <div className="first-steps-head">
        <h2 id="first-steps">{t.nextStep[next]}</h2>
        {bindings.length > 0 && (
          <Button look="icon" aria-label={common.dismiss} onClick={dismiss}>
            <X className="icon" aria-hidden="true" />
          </Button>
        )}
      </div>
      <ol className="first-steps-list" aria-label={t.steps}>
        {steps.map((step) => (
          <li key={step} className={done[step] ? "first-step first-step-done" : "first-step"}>
            {done[step] ? (
              <Check className="icon" aria-hidden="true" />
            ) : (
              <Circle className="icon" aria-hidden="true" />
            )}
            {t.stepNames[step]}
            {done[step] && <span className="visually-hidden">{t.stepDone}</span>}
          </li>
        ))}
      </ol>
      <NextStep step={next} binding={bindings[0]} onCreate={onCreate} />
    </section>
  );
}

interface NextStepProps {
  step: Exclude<Step, "confirm">;
  binding: BindingFragment | undefined;
  onCreate(): void;
}

function NextStep({ step, binding, onCreate }: NextStepProps) {
  const { addresses: t } = useTexts();
  if (step === "create" || !binding)
    return (
      <Button look="primary" onClick={onCreate}>
        {t.createFirst}
      </Button>
    );
  if (step === "send") return <MailToTry proxyAddress={binding.proxyAddress} />;
  if (step === "read")
    return (
      <Link href={`/addresses/${binding.id}`} className="button button-primary">
        {t.readFirst}
      </Link>
    );
  return (
    <p>
      {t.webhookStep((text) => (
        <Link href={`/addresses/${binding.id}/settings`}>{text}</Link>
      ))}
    </p>
  );
}
