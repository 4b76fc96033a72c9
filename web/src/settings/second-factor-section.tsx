import { useState } from "react";
import { EnableTwoFactor } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { useAccount } from "../session/account.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SecondFactorOff } from "./second-factor-off.tsx";
import { SecondFactorSetUp } from "./second-factor-set-up.tsx";
import { Section } from "./section.tsx";

/** Turning the second factor on, in two steps, and off again. */
export function SecondFactorSection() {
  const { twoFactorEnabled } = useAccount();
  const begin = useChange(EnableTwoFactor);
  const [codes, setCodes] = useState<readonly string[]>();
  const setUp = begin.data?.enableTwoFactor;
  const finish = (recoveryCodes: readonly string[]) => {
    begin.reset();
    setCodes(recoveryCodes);
  };
  return (
    <Section
      title="Second factor"
      lead="With it, signing in asks for a code of your authenticator as well as the password."
    >
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {twoFactorEnabled && !codes && <SecondFactorOff />}
      {!twoFactorEnabled && !setUp && !codes && (
        <div>
          <Button onPress={() => begin.mutate({})} isPending={begin.isPending}>
            Set up a second factor
          </Button>
        </div>
      )}
      {!twoFactorEnabled && setUp && <SecondFactorSetUp setUp={setUp} onFinish={finish} onCancel={begin.reset} />}
      <Fault error={begin.error} />
    </Section>
  );
}
