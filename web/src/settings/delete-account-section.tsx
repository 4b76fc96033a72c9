import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { DeleteAccount } from "../graph/gen/operations.ts";
import { tellOtherTabs } from "../graph/other-tabs.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { accountDeleted } from "../session/signed-out.ts";
import { useSessionChange } from "../session/use-session-change.ts";
import { useTexts } from "../texts/texts.tsx";
import { Section } from "./section.tsx";

export function DeleteAccountSection() {
  const { settings: t } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section title={t.deleteAccount} lead={t.deleteAccountLead}>
      <div>
        <Button look="danger" onClick={() => setIsAsking(true)}>
          {t.deleteAccount}
        </Button>
      </div>
      <Dialog title={t.deleteAccountTitle} isOpen={isAsking} onClose={() => setIsAsking(false)} isAlert>
        <p>{t.deleteAccountRest}</p>
        <DeleteForm onCancel={() => setIsAsking(false)} />
      </Dialog>
    </Section>
  );
}

function DeleteForm({ onCancel }: { onCancel(): void }) {
  const { common, settings: t } = useTexts();
  const [password, setPassword] = useState("");
  const [, navigate] = useLocation();
  const removal = useChange(DeleteAccount);
  const faults = useFieldFaults(removal.error, "password");
  const enter = useSessionChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = async () => {
      tellOtherTabs("signed-out");
      navigate("/", { replace: true, state: accountDeleted });
      await enter();
    };
    removal.mutate({ password }, { onSuccess });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <PasswordInput
        label={common.yourPassword}
        value={password}
        onChange={setPassword}
        error={faults.at("password")}
        autoFocus
      />
      <Fault error={faults.rest} />
      <div className="dialog-actions">
        <Button onClick={onCancel}>{common.cancel}</Button>
        <Button look="danger" type="submit" isPending={removal.isPending}>
          {t.deleteForGood}
        </Button>
      </div>
    </form>
  );
}
