import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { useAccount } from "../session/account.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SecondFactorOff } from "./second-factor-off.tsx";
import { SecondFactorSetUp } from "./second-factor-set-up.tsx";
import { Section } from "./section.tsx";

/** Turning the second factor on, in two steps, and off again. */
export function SecondFactorSection() {
  const { twoFactorEnabled } = useAccount();
  const [isSettingUp, setIsSettingUp] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const finish = (recoveryCodes: readonly string[]) => {
    setIsSettingUp(false);
    setCodes(recoveryCodes);
  };
  return (
    <Section
      title="Second factor"
      lead="With it, signing in asks for a code of your authenticator as well as the password."
    >
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {twoFactorEnabled && !codes && <SecondFactorOff />}
      {!twoFactorEnabled && !isSettingUp && (
        <div>
          <Button onPress={() => setIsSettingUp(true)}>Set up a second factor</Button>
        </div>
      )}
      {!twoFactorEnabled && isSettingUp && (
        <SecondFactorSetUp onFinish={finish} onCancel={() => setIsSettingUp(false)} />
      )}
    </Section>
  );
}
