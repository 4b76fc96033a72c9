import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { ApiToken, ChangePassword, Sessions, WebhookSecret } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { Section } from "./section.tsx";

export function PasswordSection() {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [revokeKeys, setRevokeKeys] = useState(false);
  const change = useChange(ChangePassword, [Sessions, ApiToken, WebhookSecret]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      setCurrentPassword("");
      setNewPassword("");
      setRevokeKeys(false);
    };
    change.mutate({ currentPassword, newPassword, revokeKeys }, { onSuccess });
  };
  return (
    <Section title="Password" lead="A new one signs you out everywhere but here.">
      <Form className="stack" onSubmit={submit}>
        <PasswordInput label="Current password" value={currentPassword} onChange={setCurrentPassword} />
        <PasswordInput label="New password" isNew value={newPassword} onChange={setNewPassword} />
        <Toggle isSelected={revokeKeys} onChange={setRevokeKeys}>
          Also replace the API token and the webhook secret
        </Toggle>
        <Fault error={change.error} />
        {change.isSuccess && <Notice tone="good">Your password is changed.</Notice>}
        <div>
          <Button type="submit" isPending={change.isPending}>
            Change the password
          </Button>
        </div>
      </Form>
    </Section>
  );
}
