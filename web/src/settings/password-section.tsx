import { type FormEvent, useState } from "react";
import { ChangePassword, Sessions, WebhookSecret } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault, Notice } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Section } from "./section.tsx";

export function PasswordSection({ onKeysRevoked }: { onKeysRevoked(): void }) {
  const { common, settings: t } = useTexts();
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [revokeKeys, setRevokeKeys] = useState(false);
  const change = useChange(ChangePassword, [Sessions, WebhookSecret]);
  const faults = useFieldFaults(change.error, "currentPassword", "newPassword");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      setCurrentPassword("");
      setNewPassword("");
      setRevokeKeys(false);
      if (revokeKeys) onKeysRevoked();
    };
    change.mutate({ currentPassword, newPassword, revokeKeys }, { onSuccess });
  };
  return (
    <Section anchor="password" title={t.password} lead={t.passwordLead}>
      <form className="stack" onSubmit={submit}>
        <PasswordInput
          label={t.currentPassword}
          value={currentPassword}
          onChange={setCurrentPassword}
          error={faults.at("currentPassword")}
        />
        <PasswordInput
          label={common.newPassword}
          isNew
          value={newPassword}
          onChange={setNewPassword}
          error={faults.at("newPassword")}
        />
        <Toggle isSelected={revokeKeys} onChange={setRevokeKeys}>
          {t.alsoRevoke}
        </Toggle>
        <Fault error={faults.rest} />
        {change.isSuccess && <Notice tone="good">{t.passwordChanged}</Notice>}
        <div>
          <Button type="submit" isPending={change.isPending}>
            {t.changePassword}
          </Button>
        </div>
      </form>
    </Section>
  );
}
