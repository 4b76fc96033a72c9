import { useState } from "react";
import { EnableTwoFactor } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SecondFactorOff } from "./second-factor-off.tsx";
import { SecondFactorSetUp } from "./second-factor-set-up.tsx";
import { Section } from "./section.tsx";

/** Turning the second factor on, in two steps, and off again. */
export function SecondFactorSection() {
  const { settings: t } = useTexts();
  const { twoFactorEnabled } = useAccount();
  const begin = useChange(EnableTwoFactor);
  const [codes, setCodes] = useState<readonly string[]>();
  const setUp = begin.data?.enableTwoFactor;
  const finish = (recoveryCodes: readonly string[]) => {
    begin.reset();
    setCodes(recoveryCodes);
  };
  return (
    <Section title={t.twoFactor} lead={t.twoFactorLead}>
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {twoFactorEnabled && !codes && <SecondFactorOff />}
      {!twoFactorEnabled && !setUp && !codes && (
        <div>
          <Button onClick={() => begin.mutate({})} isPending={begin.isPending}>
            {t.setUpTwoFactor}
          </Button>
        </div>
      )}
      {!twoFactorEnabled && setUp && <SecondFactorSetUp setUp={setUp} onFinish={finish} onCancel={begin.reset} />}
      <Fault error={begin.error} />
    </Section>
  );
}
