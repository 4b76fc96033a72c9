import { type FormEvent, useState } from "react";
import { ConfirmSecondFactor, type EnableTwoFactorMutation, Me } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { QrCode } from "./qr-code.tsx";

interface SecondFactorSetUpProps {
  setUp: NonNullable<EnableTwoFactorMutation["enableTwoFactor"]>;
  onFinish(recoveryCodes: readonly string[]): void;
  onCancel(): void;
}

/** Shows the secret to an authenticator; a first code of it puts the second factor in force. */
export function SecondFactorSetUp({ setUp, onFinish, onCancel }: SecondFactorSetUpProps) {
  const { common, settings: t } = useTexts();
  const [code, setCode] = useState("");
  const confirm = useChange(ConfirmSecondFactor, [Me], ({ confirmSecondFactor }) =>
    onFinish(confirmSecondFactor?.recoveryCodes ?? []),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate({ code: code.trim() });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t.scan}</p>
      <QrCode text={setUp.uri} title={t.qrCode} />
      <div className="secret">
        <code className="address">{setUp.secret}</code>
        <CopyButton text={setUp.secret} what={t.theKey} />
      </div>
      <TextInput
        label={common.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onChange={setCode}
        required
        autoFocus
      />
      <Fault error={confirm.error} />
      <div className="dialog-actions">
        <Button onClick={onCancel}>{common.cancel}</Button>
        <Button look="primary" type="submit" isPending={confirm.isPending}>
          {t.enable}
        </Button>
      </div>
    </form>
  );
}
