import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { ChangePassword, Sessions } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { Section } from "./section.tsx";

export function PasswordSection() {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const change = useChange(ChangePassword, [Sessions]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      setCurrentPassword("");
      setNewPassword("");
    };
    change.mutate({ currentPassword, newPassword }, { onSuccess });
  };
  return (
    <Section title="Password" lead="A new one signs you out everywhere but here.">
      <Form className="stack" onSubmit={submit}>
        <PasswordInput label="Present password" value={currentPassword} onChange={setCurrentPassword} />
        <PasswordInput label="New password" isNew value={newPassword} onChange={setNewPassword} />
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
